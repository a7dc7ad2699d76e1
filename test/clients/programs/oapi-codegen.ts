/** A program that uses the client of oapi-codegen. */
export const oapiCodegenProgram = `package main

import (
	"client/berth"
	"context"
	"encoding/json"
	"net/http"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	name := os.Getenv("BERTH_VM")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("BERTH_TOKEN"))
		return nil
	}
	client := must(berth.NewClientWithResponses(
		os.Getenv("BERTH_URL"), berth.WithRequestEditorFn(authorize)))

	filter, async, wait, memory := "cirros", "respond-async", 60, 64
	listed := must(client.ListVmTemplatesWithResponse(ctx, &berth.ListVmTemplatesParams{Filter: &filter}))
	var template berth.VmTemplate = listed.JSON200.VmTemplates[0]
	templateId := template.Id.String()
	body := berth.CreateVm{Name: name, TemplateId: &templateId, MemoryMi: &memory}

	created := must(client.CreateVmWithResponse(ctx, &berth.CreateVmParams{Prefer: &async}, body))
	var operation berth.Operation = created.JSON202.Operation
	must(client.GetOperationWithResponse(ctx, operation.Id.String(), &berth.GetOperationParams{Wait: &wait}))
	var vm berth.Vm = must(client.GetVmWithResponse(ctx, name, nil)).JSON200.Vm

	again := must(client.CreateVmWithResponse(ctx, nil, body))
	var problem *berth.Problem = again.ApplicationproblemJSON409
	must(client.DeleteVmWithResponse(ctx, nil, berth.DeleteVm{Name: name}))
	gone := must(client.GetVmWithResponse(ctx, name, nil))
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"deployed": vm.State,
		"conflict": problem.Code,
		"deleted":  gone.ApplicationproblemJSON404.Code,
	}))
}
`
