/**
 * The generated halves of the kits follow src/protocol. The committed files equal the generator's output. Every REST
 * operation has its method, and every message its type.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { generatedFiles, outdated, ROOT } from '../../sdk/generator/cli.js';
import { kitSpecs, protocolModel } from '../../sdk/generator/model.js';
import { snake } from '../../sdk/generator/python.js';
import { operations, RestOperations } from '../../sdk/typescript/src/generated/rest.js';
import { ClientMessages } from '../../src/protocol/client.js';
import { ServerMessages } from '../../src/protocol/server.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

void t.test('the committed files are up to date, and drift is seen', async (t) => {
  const files = await generatedFiles();
  t.same(await outdated(files), [], 'npm run generate writes them anew');
  const [path] = Object.keys(files);
  t.same(await outdated({ ...files, [path!]: `${files[path!]}\n` }), [path]);
  t.same(await outdated({ 'sdk/typescript/src/generated/nowhere.ts': '' }), [
    'sdk/typescript/src/generated/nowhere.ts',
  ]);
});

void t.test('the model has every message and operation, and names nothing that it does not have', (t) => {
  const model = protocolModel();
  t.same(
    model.serverMessages.map(({ type }) => type),
    Object.keys(ServerMessages),
  );
  t.same(
    model.clientMessages.map(({ type }) => type),
    Object.keys(ClientMessages),
  );
  t.same(
    model.operations.map(({ id }) => id),
    kitSpecs.map(({ id }) => id),
  );
  const names = new Set(model.types.map(({ name }) => name));
  t.equal(names.size, model.types.length, 'no name stands for two types');
  const meant = JSON.stringify(model).matchAll(/\{"kind":"named","name":"(\w+)"/g);
  for (const [, name] of meant) if (!names.has(name!)) t.fail(`${name} is named and is nowhere`);
  t.end();
});

void t.test('the TypeScript kit has a method for every operation, and a type for every message', async (t) => {
  const methods = new Set(Object.getOwnPropertyNames(RestOperations.prototype));
  for (const { id, method, path } of kitSpecs) {
    t.ok(methods.has(id), `${id} is a method`);
    t.match(operations[id as keyof typeof operations], { id, method, path });
  }
  const text = await readFile(join(ROOT, 'sdk/typescript/src/generated/messages.ts'), 'utf8');
  for (const { type, name } of [...protocolModel().serverMessages, ...protocolModel().clientMessages]) {
    t.match(text, new RegExp(`^export (interface|type) ${name}\\b`, 'm'));
    t.ok(text.includes(`  ${type}: ${name};`), `${type} is among the messages`);
  }
});

void t.test('the Python kit has them, too', async (t) => {
  const [rest, messages] = await Promise.all(
    ['rest', 'messages'].map((name) =>
      readFile(join(ROOT, `sdk/python/src/agent_poker/_generated/${name}.py`), 'utf8'),
    ),
  );
  for (const { id, method, path } of kitSpecs) {
    t.ok(rest!.includes(`    async def ${snake(id)}(`), `${snake(id)} is a method`);
    t.ok(rest!.includes(`"${id}", "${method}", "${path}"`), `${id} asks for what it is`);
  }
  for (const { type, name } of [...protocolModel().serverMessages, ...protocolModel().clientMessages]) {
    t.match(messages, new RegExp(`^(class ${name}\\(|${name} = )`, 'm'));
    t.ok(messages!.includes(`    "${type}": ${name},`), `${type} is among the messages`);
  }
});
