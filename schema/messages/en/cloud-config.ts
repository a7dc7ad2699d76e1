/** Why the user data of a guest is refused. Each text continues a sentence after its field. */
export const cloudConfig = {
  'cloud_config.header_needed': 'must begin with #cloud-config when SSH keys or a password are to be added, also when it comes from the template; change it, or leave out keys and password',
  'cloud_config.header_missing': 'must begin with #cloud-config, because cloud-init ignores other text',
  'cloud_config.unknown_format': 'must begin with #cloud-config, or with #! for a script, because cloud-init ignores other text',
  'cloud_config.no_identity': 'does not begin with #cloud-config, so Berth cannot add the hostname and the machine id of the clone to it',
  'cloud_config.not_yaml': 'is not valid YAML: {problem}',
  'cloud_config.several_documents': 'has more than one YAML document; remove the lines "---" between them, and keep one',
  'cloud_config.no_settings': 'must have settings such as "package_update: true" under #cloud-config',
  'cloud_config.key_twice': 'has the key "{key}" twice in one place; keep one of them',
  'cloud_config.aliases': 'has aliases (words after *) without an anchor before them, or too many aliases; write their values out, and put quotes around a text that begins with *',
  'cloud_config.too_deep': 'is nested more than {most} levels deep; nest it less',
  'cloud_config.too_many': 'has more than {most} parts (keys, values and the punctuation between them); move some of it into a script or a package',
} as const
