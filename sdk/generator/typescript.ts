import { format, resolveConfig } from 'prettier';
import { pascal, type Files, type HeaderModel, type OperationModel, type ProtocolModel } from './model.js';
import type { FieldModel, NamedType, TypeModel } from './model.js';

/** Prints the generated half of the TypeScript kit. */

const FOLDER = 'typescript/src/generated/';
const WRITTEN = '// Written by npm run generate from src/protocol; do not edit.\n\n';

export async function typescriptFiles(model: ProtocolModel): Promise<Files> {
  return {
    [`${FOLDER}messages.ts`]: await pretty(messagesFile(model)),
    [`${FOLDER}rest.ts`]: await pretty(restFile(model)),
  };
}

async function pretty(text: string): Promise<string> {
  const style = await resolveConfig(import.meta.filename);
  return format(WRITTEN + text, { ...style, parser: 'typescript' });
}

// ---- types

export function typeText(type: TypeModel): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'integer':
      return 'number';
    case 'values':
      return type.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'list':
      return `readonly (${typeText(type.of)})[]`;
    case 'map':
      return `Readonly<Record<string, ${typeText(type.of)}>>`;
    case 'union':
      return type.options.map(typeText).join(' | ');
    case 'named':
      return type.name;
    default:
      return type.kind;
  }
}

function typeDeclaration({ name, about, fields, alias }: NamedType): string {
  if (fields === null)
    return `${comment(about)}export type ${name} = ${alias === null ? 'unknown' : typeText(alias)};\n`;
  return `${comment(about)}export interface ${name} {\n${fields.map((field) => fieldText(field, name)).join('')}}\n`;
}

/** An argument may also be undefined. A field that is read is there or not. */
function fieldText({ name, type, required, note }: FieldModel, owner: string): string {
  const given = owner.endsWith('Input') && !required ? ' | undefined' : '';
  return `${comment(note)}${owner.endsWith('Input') ? '' : 'readonly '}${name}${required ? '' : '?'}: ${typeText(type)}${given};\n`;
}

function comment(text: string | null): string {
  if (text === null) return '';
  const safe = text.replaceAll('*/', '* /');
  return safe.includes('\n') ? `/**\n * ${safe.replaceAll('\n', '\n * ')}\n */\n` : `/** ${safe} */\n`;
}

// ---- messages

function messagesFile({ types, serverMessages, clientMessages, ...codes }: ProtocolModel): string {
  const byType = (messages: readonly { type: string; name: string; summary: string }[]) =>
    messages.map(({ type, name, summary }) => `${comment(summary)}${type}: ${name};\n`).join('');
  const constant = (name: string, about: string, value: object) =>
    `${comment(about)}export const ${name} = ${JSON.stringify(value)} as const;\n`;
  return [
    ...types.filter(({ home }) => home === 'messages').map(typeDeclaration),
    `/** What the server says, by type. */\nexport interface ServerMessages {\n${byType(serverMessages)}}\n`,
    'export type ServerMessageType = keyof ServerMessages;\n',
    '/** New types may come: whoever reads must be content with others. */\n',
    'export type ServerMessage = ServerMessages[ServerMessageType];\n',
    `/** What a bot may say, by type. */\nexport interface ClientMessages {\n${byType(clientMessages)}}\n`,
    'export type ClientMessage = ClientMessages[keyof ClientMessages];\n',
    constant('CLOSE_REASONS', 'Why the server ends a socket, by close code.', codes.closeReasons),
    constant('ERROR_TEXTS', 'By code of `error`.', codes.errorCodes),
    'export type ErrorCode = keyof typeof ERROR_TEXTS;\n',
    constant('REJECTION_TEXTS', 'By code of `action_rejected`.', codes.rejectionCodes),
    'export type RejectionCode = keyof typeof REJECTION_TEXTS;\n',
  ].join('\n');
}

// ---- REST

function restFile({ types, operations, version }: ProtocolModel): string {
  const own = types.filter(({ home }) => home === 'rest');
  const body = [
    ...own.map(typeDeclaration),
    `/** The version of the API that this was written from. */\nexport const API_VERSION = ${JSON.stringify(version)};\n`,
    `/** Every operation by its name. */\nexport const operations = {\n${operations.map(entry).join('')}} as const satisfies Readonly<Record<string, Operation>>;\n`,
    restClass(operations),
  ].join('\n');
  const used = types.filter(({ name, home }) => home === 'messages' && new RegExp(`\\b${name}\\b`).test(body));
  const kinds = ['CallOptions', 'Operation', ...(operations.some(({ files }) => files !== null) ? ['Download'] : [])];
  const imports = [
    `import type { ${kinds.join(', ')} } from '../operation.js';\n`,
    used.length === 0 ? '' : `import type { ${used.map(({ name }) => name).join(', ')} } from './messages.js';\n`,
  ];
  return `${imports.join('')}\n${body}`;
}

function entry({ id, method, path, auth, query, body, headers, repeatable, files, pages }: OperationModel): string {
  const names = (fields: readonly FieldModel[]) => fields.map(({ name }) => name);
  const value = {
    id,
    method,
    path,
    auth,
    query: names(query),
    body: names(body),
    headers: Object.fromEntries(headers.map((header) => [optionOf(header), header.name])),
    repeatable,
    file: files !== null,
    pages: pages === null ? null : { by: pages.by, items: pages.items, limit: pages.limit },
  };
  return `${id}: ${JSON.stringify(value)},\n`;
}

/** 'X-Competition-Invite-Token' as the option competitionInviteToken. */
function optionOf({ name }: HeaderModel): string {
  const words = pascal(name.replace(/^X-/, '').toLowerCase());
  return words[0]!.toLowerCase() + words.slice(1);
}

const restClass = (
  operations: readonly OperationModel[],
) => `/** A method for every operation; who extends it sends them. */
export abstract class RestOperations {
  protected abstract call<T>(operation: Operation, input: object, options: CallOptions): Promise<T>;
  protected abstract download(operation: Operation, input: object, options: CallOptions): Promise<Download>;
  protected abstract iterate<T>(operation: Operation, input: object, options: CallOptions): AsyncIterableIterator<T>;

${operations.flatMap((operation) => [method(operation), ...(operation.pages === null ? [] : [pagesMethod(operation)])]).join('\n')}}
`;

function method(operation: OperationModel): string {
  const { id, files, answers } = operation;
  const answer = [...new Set(answers.map(({ type }) => typeText(type)))].join(' | ');
  const [how, result] = files === null ? [`call<${answer}>`, answer] : ['download', 'Download'];
  return `${comment(about(operation))}${id}(${parameters(operation)}): Promise<${result}> {
  return this.${how}(operations.${id}, ${operation.input === null ? '{}' : 'input'}, options);
}
`;
}

/** getHandHistory → iterateHandHistory: item after item, page after page. */
export const iteratorName = (id: string): string => `iterate${pascal(id.replace(/^(get|list)/, ''))}`;

function pagesMethod(operation: OperationModel): string {
  const item = typeText(operation.pages!.item);
  return `/** Every item of ${operation.id}, page after page. */
${iteratorName(operation.id)}(${parameters(operation)}): AsyncIterableIterator<${item}> {
  return this.iterate<${item}>(operations.${operation.id}, input, options);
}
`;
}

function parameters({ input, params, query, body, headers }: OperationModel): string {
  const needed = [...params, ...query, ...body].some(({ required }) => required);
  const given = headers.map((header) => `${optionOf(header)}${header.required ? '' : '?'}: string`).join('; ');
  const type = given === '' ? 'CallOptions' : `CallOptions & { ${given} }`;
  const options = headers.some(({ required }) => required) ? `options: ${type}` : `options: ${type} = {}`;
  if (input === null) return options;
  return `input: ${input}${needed ? '' : ' = {}'}, ${options}`;
}

function about({ summary, description, method: verb, path, headers, limit }: OperationModel): string {
  const limited = limit === null ? 'not limited' : `${limit.max} in ${limit.windowMs / 1000} s per ${limit.per}`;
  const told = headers.map((header) => `${optionOf(header)}: ${header.about}`);
  return [`${summary}.`, ...(description === null ? [] : [description]), ...told, `\`${verb} ${path}\`, ${limited}.`]
    .map((sentence) => sentence.replace(/\.\.$/, '.'))
    .join('\n');
}
