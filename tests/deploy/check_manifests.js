// Checks Kubernetes manifests without a cluster: node check_manifests.js FOLDER
//
// - Validates each object against the schema of its kind (kubernetes-models), and as a literal of its
//   TypeScript type, which finds fields that the kind does not have.
// - Checks references by name or label: kustomization and files, selectors and pods, secrets, ports,
//   the autoscaler and its target.
"use strict";
const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const yaml = require("yaml");

const folder = process.argv[2];
const notManifests = ["kustomization.yaml", "prometheus-adapter-values.yaml"];
const packages = {
  "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator/",
  "postgresql.cnpg.io/v1": "@kubernetes-models/cloudnative-pg/",
};
const errors = [];
const check = (is_true, words) => is_true || errors.push(words);

function readAll(file) {
  return yaml.parseAllDocuments(fs.readFileSync(path.join(folder, file), "utf8")).map((document) => {
    assert.deepStrictEqual(document.errors, [], file);
    return { file, object: document.toJS() };
  });
}
const show = ({ file, object }) => `${file}: ${object.kind} ${object.metadata?.name}`;
const modelOf = (object) =>
  `${packages[object.apiVersion] ?? "kubernetes-models/"}${object.apiVersion}/${object.kind}`;

const files = fs.readdirSync(folder).filter((name) => name.endsWith(".yaml")).sort();
const all = files.filter((name) => !notManifests.includes(name)).flatMap(readAll);
const kustomization = readAll("kustomization.yaml")[0].object;
const deployed = all.filter(({ file }) => kustomization.resources.includes(file));

// ---- By kind

let literals = "";
all.forEach((one, index) => {
  try {
    new (require(modelOf(one.object))[one.object.kind])(one.object).validate();
  } catch (error) {
    check(false, `${show(one)}: ${error.message}`);
  }
  const type = `I${one.object.kind}`;
  literals += `import type { ${type} as T${index} } from "${modelOf(one.object)}";\n`;
  literals += `export const at${index}: T${index} = ${JSON.stringify(one.object)}; // ${show(one)}\n`;
});
const source = path.join(__dirname, "node_modules", ".manifests.ts");
fs.writeFileSync(source, literals);
try {
  execFileSync(
    process.execPath,
    [require.resolve("typescript/bin/tsc"), "--noEmit", "--strict", "--skipLibCheck", "--target",
      "es2020", "--moduleResolution", "node16", "--module", "node16", source],
    { cwd: __dirname, stdio: "pipe", encoding: "utf8" });
} catch (error) {
  const lines = literals.split("\n");
  for (const line of error.stdout.trim().split("\n")) {
    const at = /\((\d+),\d+\): (.*)/.exec(line);
    errors.push(at ? `${lines[at[1] - 1].split(" // ").pop()}: ${at[2]}` : line.trim());
  }
}

// ---- Between objects

const ofKind = (kind) => deployed.filter(({ object }) => object.kind === kind);
const has = (labels, selector) =>
  Object.entries(selector).every(([key, value]) => labels?.[key] === value);
const pods = ofKind("Deployment").map(({ object }) => object.spec.template);
const portsOf = (pod) => pod.spec.containers.flatMap(({ ports }) => ports ?? []);

for (const file of files) {
  check(kustomization.resources.includes(file) || notManifests.includes(file) ||
        file.includes("example"), `kustomization.yaml does not have ${file}`);
}
for (const one of deployed) {
  check(one.object.kind === "Namespace" || one.object.metadata.namespace === kustomization.namespace,
        `${show(one)}: not in the namespace ${kustomization.namespace}`);
}
for (const one of ofKind("Deployment")) {
  const { selector, template } = one.object.spec;
  check(has(template.metadata.labels, selector.matchLabels), `${show(one)}: selects other pods`);
  for (const container of template.spec.containers) {
    const names = portsOf(template).map(({ name }) => name);
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
      check(names.includes(container[probe]?.httpGet.port), `${show(one)}: ${probe} has no port`);
    }
    for (const mount of container.volumeMounts) {
      check(template.spec.volumes.some(({ name }) => name === mount.name),
            `${show(one)}: no volume ${mount.name}`);
    }
  }
  const example = all.find(({ object }) => object.kind === "Secret").object;
  for (const { secret } of template.spec.volumes.filter((volume) => volume.secret)) {
    check(secret.secretName === example.metadata.name, `${show(one)}: no secret ${secret.secretName}`);
    for (const { key } of secret.items) {
      check(key in example.stringData, `${show(one)}: the secret has no ${key}`);
    }
  }
}
for (const one of ofKind("Service")) {
  const chosen = pods.filter((pod) => has(pod.metadata.labels, one.object.spec.selector));
  check(chosen.length === 1, `${show(one)}: selects ${chosen.length} kinds of pods`);
  for (const port of one.object.spec.ports) {
    const target = chosen.flatMap(portsOf).find(({ name }) => name === port.targetPort);
    check(target?.containerPort === port.port, `${show(one)}: port ${port.name} leads nowhere`);
  }
}
for (const one of [...ofKind("NetworkPolicy"), ...ofKind("PodDisruptionBudget")]) {
  const { matchLabels } = one.object.spec.podSelector ?? one.object.spec.selector;
  check(pods.some((pod) => has(pod.metadata.labels, matchLabels)), `${show(one)}: selects nothing`);
}
for (const one of ofKind("ServiceMonitor")) {
  const services = ofKind("Service").filter(({ object }) =>
    has(object.metadata.labels, one.object.spec.selector.matchLabels));
  check(services.length === 1, `${show(one)}: selects ${services.length} services`);
  const job = services[0]?.object.metadata.labels[one.object.spec.jobLabel];
  check(job === one.object.metadata.name, `${show(one)}: its job is ${job}`);
}
for (const one of ofKind("HorizontalPodAutoscaler")) {
  const target = one.object.spec.scaleTargetRef;
  const found = ofKind(target.kind).find(({ object }) => object.metadata.name === target.name);
  check(found && found.object.spec.replicas === undefined, `${show(one)}: scales what others scale`);
  const adapter = readAll("prometheus-adapter-values.yaml")[0].object;
  for (const { external } of one.object.spec.metrics) {
    check(adapter.rules.external.some(({ name }) => name.as === external.metric.name),
          `${show(one)}: the adapter has no ${external.metric.name}`);
  }
}

if (errors.length > 0) {
  console.error(errors.map((words) => `error: ${words}`).join("\n"));
  process.exit(1);
}
console.log(`${all.length} objects are valid`);
