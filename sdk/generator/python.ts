import type { FieldModel, Files, HeaderModel, NamedType, OperationModel, ProtocolModel, TypeModel } from './model.js';
import { iteratorName } from './typescript.js';

/** Prints the generated half of the Python kit, for Python 3.10 and later without any package. */

const FOLDER = 'python/src/agent_poker/_generated/';
const WIDTH = 120;

export function pythonFiles(model: ProtocolModel): Files {
  return {
    [`${FOLDER}__init__.py`]: '"""Written by npm run generate from src/protocol; do not edit."""\n',
    [`${FOLDER}messages.py`]: messagesFile(model),
    [`${FOLDER}rest.py`]: restFile(model),
  };
}

const head = (about: string, imports: string) =>
  `"""${about} Written by npm run generate from src/protocol; do not edit."""\n\nfrom __future__ import annotations\n\n${imports}\n`;

/** getMe → get_me, ifMatch → if_match. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Words of the language get a line behind them. */
const KEYWORDS = new Set([
  'from',
  'class',
  'def',
  'import',
  'in',
  'is',
  'not',
  'or',
  'and',
  'pass',
  'global',
  'lambda',
]);
const argument = (name: string) => (KEYWORDS.has(name) ? `${name}_` : name);

const quoted = (value: string | number | boolean) =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

// ---- types

export function typeText(type: TypeModel): string {
  switch (type.kind) {
    case 'text':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'unknown':
      return 'Any';
    case 'values':
      return `Literal[${type.values.map(quoted).join(', ')}]`;
    case 'list':
      return `List[${typeText(type.of)}]`;
    case 'map':
      return `Dict[str, ${typeText(type.of)}]`;
    case 'union':
      return unionText(type.options.map(typeText));
    case 'named':
      return type.name;
  }
}

function unionText(options: readonly string[]): string {
  const rest = options.filter((option) => option !== 'None');
  const union = rest.length === 1 ? rest[0]! : `Union[${rest.join(', ')}]`;
  return rest.length < options.length ? `Optional[${union}]` : union;
}

/** A TypedDict; fields that may be missing stand in a class of their own, since NotRequired is younger than 3.10. */
function typeDeclaration({ name, about, fields, alias }: NamedType): string {
  if (fields === null) {
    const meant = alias === null ? 'Any' : typeText(alias);
    return `${about === null ? '' : comment(about, '')}${long(`${name} = ${meant}`)}\n`;
  }
  const [words, plain] = [fields.filter(isWord), fields.filter((field) => !isWord(field))];
  const [required, optional] = [plain.filter((field) => field.required), plain.filter((field) => !field.required)];
  const base = words.length === 0 ? 'TypedDict' : `_${name}Words`;
  const parts = words.length === 0 ? [] : [wordsText(base, words)];
  if (optional.length === 0) return [...parts, classText(name, base, about, required)].join('\n\n');
  if (required.length === 0) return [...parts, classText(name, `${base}, total=False`, about, optional)].join('\n\n');
  const always = `_${name}Always`;
  const both = [classText(always, base, null, required), classText(name, `${always}, total=False`, about, optional)];
  return [...parts, ...both].join('\n\n');
}

/** No class has a field that is a word of the language. */
const isWord = ({ name }: FieldModel) => KEYWORDS.has(name);

function wordsText(name: string, fields: readonly FieldModel[]): string {
  if (fields.some(({ required }) => !required)) throw new Error(`${name}: no way to say that these may be missing`);
  const entries = fields.map((field) => long(`        ${JSON.stringify(field.name)}: ${typeText(field.type)}`));
  return `${name} = TypedDict(\n    ${JSON.stringify(name)},\n    {\n${entries.join(',\n')},\n    },\n)\n`;
}

function classText(name: string, bases: string, about: string | null, fields: readonly FieldModel[]): string {
  const lines = fields.map(
    (field) =>
      (field.note === null ? '' : comment(field.note, '    ')) + long(`    ${field.name}: ${typeText(field.type)}`),
  );
  const body = [...(about === null ? [] : [`${docstring([about], '    ')}\n`]), ...lines].join('\n');
  return `class ${name}(${bases}):\n${body === '' ? '    pass' : body}\n`;
}

/** A line that ends with a bracket and is too long for people is broken behind its commas, and so are its parts. */
function long(line: string): string {
  const open = line.indexOf('[') + 1;
  if (line.length <= WIDTH || open === 0 || !line.endsWith(']')) return line;
  const indent = /^ */.exec(line)![0];
  const parts = splitAtCommas(line.slice(open, -1)).map((part) => `${long(`${indent}    ${part}`)},\n`);
  return `${line.slice(0, open)}\n${parts.join('')}${indent}]`;
}

/** At commas outside of brackets. */
function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    depth += letter === '[' ? 1 : letter === ']' ? -1 : 0;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

// ---- texts

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

const comment = (text: string, indent: string) =>
  wrap(text, WIDTH - indent.length - 3)
    .map((line) => `${indent}#: ${line}\n`)
    .join('');

function docstring(paragraphs: readonly string[], indent: string): string {
  const safe = paragraphs.map((text) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''"));
  const [only] = safe;
  if (safe.length === 1 && indent.length + only!.length + 6 <= WIDTH) return `${indent}"""${only}"""`;
  const lines = safe.map((text) => wrap(text, WIDTH - indent.length).map((line) => indent + line));
  return `${indent}"""\n${lines.map((part) => part.join('\n')).join('\n\n')}\n${indent}"""`;
}

// ---- messages

function messagesFile({ types, serverMessages, clientMessages, ...codes }: ProtocolModel): string {
  const union = (name: string, about: string, messages: readonly { name: string }[]) =>
    `${comment(about, '')}${long(`${name} = Union[${messages.map((message) => message.name).join(', ')}]`)}\n`;
  const byType = (name: string, about: string, messages: readonly { type: string; name: string }[]) =>
    `${comment(about, '')}${name}: Dict[str, Any] = {\n${messages.map((each) => `    "${each.type}": ${each.name},\n`).join('')}}\n`;
  const texts = (name: string, about: string, of: object, key: string) =>
    `${comment(about, '')}${name}: Dict[${key}, str] = {\n${Object.entries(of)
      .map(([code, text]) => `    ${key === 'int' ? code : `"${code}"`}: ${JSON.stringify(text)},\n`)
      .join('')}}\n`;
  return [
    head('What goes over the WebSocket.', 'from typing import Any, Dict, List, Literal, Optional, TypedDict, Union\n'),
    ...types.filter(({ home }) => home === 'messages').map(typeDeclaration),
    union('ServerMessage', 'New types may come: whoever reads must be content with others.', serverMessages),
    union('ClientMessage', 'What a bot may say.', clientMessages),
    byType('SERVER_MESSAGES', 'What the server says, by type.', serverMessages),
    byType('CLIENT_MESSAGES', 'What a bot may say, by type.', clientMessages),
    texts('CLOSE_REASONS', 'Why the server ends a socket, by close code.', codes.closeReasons, 'int'),
    texts('ERROR_TEXTS', 'By code of `error`.', codes.errorCodes, 'str'),
    texts('REJECTION_TEXTS', 'By code of `action_rejected`.', codes.rejectionCodes, 'str').trimEnd(),
  ].join('\n\n');
}

// ---- REST

function restFile({ types, operations, version }: ProtocolModel): string {
  const inputs = new Set(operations.map(({ input }) => input));
  const own = types.filter(({ home, name }) => home === 'rest' && !inputs.has(name));
  const body = [
    ...own.map(typeDeclaration),
    `${comment('The version of the API that this was written from.', '')}API_VERSION = ${JSON.stringify(version)}\n`,
    `${comment('Every operation by its operationId.', '')}OPERATIONS: Dict[str, Operation] = {\n${operations.map(entry).join('')}}\n`,
    restClass(operations),
  ].join('\n\n');
  const used = types.filter(({ name, home }) => home === 'messages' && new RegExp(`\\b${name}\\b`).test(body));
  const names = ['Any', 'AsyncIterator', 'Dict', 'List', 'Literal', 'Mapping', 'Optional', 'TypedDict', 'Union'];
  const imports = [
    `from typing import ${names.filter((name) => new RegExp(`\\b${name}\\b`).test(body)).join(', ')}\n`,
    'from .._operation import NOT_GIVEN, Download, Given, OnAnswer, Operation',
    `from .messages import ${used
      .map(({ name }) => name)
      .sort()
      .join(', ')}\n`,
  ].join('\n');
  return `${head('The REST API.', imports)}\n${body}`;
}

function entry(operation: OperationModel): string {
  const { id, method, path, auth, params, query, body, headers, repeatable, files, pages } = operation;
  const names = (fields: readonly FieldModel[]) => `(${fields.map(({ name }) => `"${name}",`).join(' ')})`;
  const lines = [
    `"${id}", "${method}", "${path}", auth="${auth}"`,
    ...(params.length === 0 ? [] : [`params=${names(params)}`]),
    ...(query.length === 0 ? [] : [`query=${names(query)}`]),
    ...(body.length === 0 ? [] : [`body=${names(body)}`]),
    ...(headers.length === 0
      ? []
      : [`headers={${headers.map((each) => `"${optionOf(each)}": "${each.name}"`).join(', ')}}`]),
    `repeatable="${repeatable}"`,
    ...(files === null ? [] : ['file=True']),
    ...(pages === null
      ? []
      : [`pages=("${pages.by}", ${pages.items === null ? 'None' : `"${pages.items}"`}, ${pages.limit})`]),
  ];
  return `    "${id}": Operation(\n${lines.map((line) => `        ${line},\n`).join('')}    ),\n`;
}

/** 'X-Competition-Invite-Token' as the argument competition_invite_token. */
const optionOf = ({ name }: HeaderModel) => name.replace(/^X-/, '').toLowerCase().replaceAll('-', '_');

const restClass = (operations: readonly OperationModel[]) => `class RestOperations:
    """A method for every operation; who extends it sends them."""

    async def _call(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> Any:
        raise NotImplementedError

    async def _download(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> Download:
        raise NotImplementedError

    def _iterate(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> AsyncIterator[Any]:
        raise NotImplementedError

${operations
  .flatMap((operation) => [method(operation), ...(operation.pages === null ? [] : [pagesMethod(operation)])])
  .join('\n')}`;

function method(operation: OperationModel): string {
  const { id, files, answers } = operation;
  const answer = files === null ? unionText([...new Set(answers.map(({ type }) => typeText(type)))]) : 'Download';
  const how = `await self._${files === null ? 'call' : 'download'}(${argumentsOf(operation)})`;
  const body = files === null ? `answer: ${answer} = ${how}\n        return answer` : `return ${how}`;
  return `    async def ${snake(id)}(${parameters(operation)}) -> ${answer}:
${docstring(about(operation), '        ')}
        ${body}
`;
}

function pagesMethod(operation: OperationModel): string {
  return `    def ${snake(iteratorName(operation.id))}(${parameters(operation)}) -> AsyncIterator[${typeText(operation.pages!.item)}]:
        """Every item of ${snake(operation.id)}, page after page."""
        return self._iterate(${argumentsOf(operation)})
`;
}

/** By name alone: what must be given, what may be left out, then how the call is made. */
function parameters({ params, query, body, headers }: OperationModel): string {
  const fields = [...params, ...query, ...body];
  const texts = [
    ...fields.filter(({ required }) => required).map(({ name, type }) => `${argument(name)}: ${typeText(type)}`),
    ...headers.filter(({ required }) => required).map((header) => `${optionOf(header)}: str`),
    ...fields
      .filter(({ required }) => !required)
      .map(({ name, type }) => `${argument(name)}: Given[${typeText(type)}] = NOT_GIVEN`),
    ...headers.filter(({ required }) => !required).map((header) => `${optionOf(header)}: Given[str] = NOT_GIVEN`),
    'timeout: Optional[float] = None',
    'on_answer: Optional[OnAnswer] = None',
  ];
  return `\n        self,\n        *,\n${texts.map((text) => `        ${text},\n`).join('')}    `;
}

function argumentsOf({ id, params, query, body, headers }: OperationModel): string {
  const given = [
    ...[...params, ...query, ...body].map(({ name }) => `"${name}": ${argument(name)}`),
    ...headers.map((header) => `"${optionOf(header)}": ${optionOf(header)}`),
  ];
  const map =
    given.length === 0 ? '{}' : `{\n${given.map((each) => `                ${each},\n`).join('')}            }`;
  return `\n            OPERATIONS["${id}"],\n            ${map},\n            timeout=timeout,\n            on_answer=on_answer,\n        `;
}

function about({
  summary,
  description,
  method: verb,
  path,
  params,
  query,
  body,
  headers,
  limit,
}: OperationModel): string[] {
  const limited = limit === null ? 'not limited' : `${limit.max} in ${limit.windowMs / 1000} s per ${limit.per}`;
  const notes = [
    ...[...params, ...query, ...body].flatMap(({ name, note }) =>
      note === null ? [] : [`${argument(name)}: ${note}.`],
    ),
    ...headers.map((header) => `${optionOf(header)}: ${header.about}`),
  ];
  return [
    `${summary}.`,
    ...(description === null ? [] : [description]),
    ...notes,
    `\`${verb} ${path}\`, ${limited}.`,
  ].map((sentence) => sentence.replace(/\.\.$/, '.'));
}
