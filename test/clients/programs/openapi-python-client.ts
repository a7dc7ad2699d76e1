/** A program that uses the client of openapi-python-client. */
export const openapiPythonProgram = `
import json
import os

from berth import AuthenticatedClient
from berth.api.operations import get_operation
from berth.api.v_ms import create_vm, delete_vm, get_vm
from berth.api.vm_templates import list_vm_templates
from berth.models import Accepted, CreateVm, DeleteVm, GetVmResult, Operation, Problem, Vm, VmTemplateList

name = os.environ["BERTH_VM"]
client = AuthenticatedClient(base_url=os.environ["BERTH_URL"], token=os.environ["BERTH_TOKEN"], timeout=90)


def answer(kind, value):
    assert isinstance(value, kind), value
    return value


templates = answer(VmTemplateList, list_vm_templates.sync(client=client, filter_="cirros"))
body = CreateVm(name=name, template_id=str(templates.vm_templates[0].id), memory_mi=64)

created = answer(Accepted, create_vm.sync(client=client, body=body, prefer="respond-async"))
operation = answer(Operation, created.operation)
get_operation.sync(str(operation.id), client=client, wait=60)
vm = answer(Vm, answer(GetVmResult, get_vm.sync(name, client=client)).vm)

problem = answer(Problem, create_vm.sync(client=client, body=body))
delete_vm.sync(client=client, body=DeleteVm(name=name))
gone = answer(Problem, get_vm.sync(name, client=client))
print(json.dumps({"deployed": vm.state, "conflict": problem.code, "deleted": gone.code}))
`
