import { useState } from 'preact/hooks';
import { useApi } from '../../lib/use-api.js';
import { Section } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Code } from '../../ui/values.js';
import { DocsPage } from './frame.js';
import { Notes } from './notes.js';
import { Fields, resolverOf, type Resolve, type Schema } from './schema.js';

interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
type Contents = Record<string, Content>;

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Contents };
  responses: Record<string, { description?: string; content?: Contents }>;
}

interface Document {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

/** Every endpoint, made from the OpenAPI document of this very server. */
export default function RestReference() {
  const document = useApi('GET /api/openapi.json', {});
  return (
    <DocsPage
      title="REST reference"
      lead={
        <>
          Made from <a href="/api/openapi.json">openapi.json</a> of this server.
        </>
      }
    >
      <Shown of={document} rows={16}>
        {(whole) => <Reference of={whole as unknown as Document} />}
      </Shown>
    </DocsPage>
  );
}

function Reference({ of }: { of: Document }) {
  const resolve = resolverOf(of);
  const endpoints = Object.entries(of.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return (
    <>
      {of.tags.map(({ name, description }) => (
        <Section key={name} title={name} id={name.toLowerCase().replaceAll(' ', '-')}>
          {description !== undefined && <Notes text={description} />}
          {endpoints
            .filter(({ operation }) => operation.tags.includes(name))
            .map((endpoint) => (
              <One key={endpoint.operation.operationId} endpoint={endpoint} resolve={resolve} />
            ))}
        </Section>
      ))}
    </>
  );
}

function One({ endpoint, resolve }: { endpoint: Endpoint; resolve: Resolve }) {
  const { method, path, operation } = endpoint;
  const [open, setOpen] = useState(location.hash === `#${operation.operationId}`);
  return (
    <details
      class="endpoint"
      id={operation.operationId}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        <span class="soft"> {operation.summary}</span>
      </summary>
      {open && <Whole endpoint={endpoint} resolve={resolve} />}
    </details>
  );
}

function Whole({ endpoint: { method, path, operation }, resolve }: { endpoint: Endpoint; resolve: Resolve }) {
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  const parameters = operation.parameters ?? [];
  const isOpen = operation.security?.length === 0;
  return (
    <div class="whole">
      {operation.description !== undefined && <p>{operation.description}</p>}
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <Fields
            schema={{
              type: 'object',
              properties: Object.fromEntries(
                parameters.map(({ name, description, schema }) => [
                  name,
                  description === undefined ? schema : { ...schema, description },
                ]),
              ),
              required: parameters.filter(({ required }) => required).map(({ name }) => name),
            }}
            resolve={resolve}
          />
        </>
      )}
      {body?.schema !== undefined && (
        <>
          <h3>Body</h3>
          <Fields schema={body.schema} resolve={resolve} />
          <Example of={body} label="Example of the body" />
        </>
      )}
      {Object.entries(operation.responses).map(([status, { description, content = {} }]) => {
        const [answer] = Object.values(content);
        const isGood = status.startsWith('2');
        return (
          <div key={status}>
            <h3>
              {status} <span class="soft">{description}</span>
            </h3>
            {isGood && answer?.schema !== undefined && <Fields schema={answer.schema} resolve={resolve} />}
            {isGood ? (
              answer !== undefined && <Example of={answer} label={`Example of ${status}`} />
            ) : (
              <Texts of={answer} />
            )}
          </div>
        );
      })}
      {method === 'GET' && isOpen && !path.includes('{') && parameters.every(({ required }) => !required) && (
        <Try path={path} />
      )}
    </div>
  );
}

/** The server's possible refusals. */
function Texts({ of }: { of: Content | undefined }) {
  const details = Object.values(of?.examples ?? {}).map(({ value }) => (value as { detail?: unknown }).detail);
  const answered = details.filter((text) => typeof text === 'string');
  if (answered.length === 0) return null;
  return (
    <ul class="texts">
      {answered.map((text) => (
        <li key={text}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  );
}

function Example({ of, label }: { of: Content; label: string }) {
  const value = of.example ?? Object.values(of.examples ?? {})[0]?.value;
  return value === undefined ? null : <Code label={label} text={JSON.stringify(value, null, 2)} />;
}

const MOST = 20_000;

/** Asks this server, with nothing but the address. */
function Try({ path }: { path: string }) {
  const [answer, setAnswer] = useState('');
  const ask = async () => {
    const told = await fetch(path);
    const text = await told.text();
    const isJson = (told.headers.get('content-type') ?? '').startsWith('application/json');
    const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
    setAnswer(`${told.status}\n${shown.length > MOST ? `${shown.slice(0, MOST)}\n…` : shown}`);
  };
  return (
    <div class="part">
      <button
        type="button"
        class="quiet"
        onClick={() => void ask().catch(() => setAnswer('The server cannot be reached.'))}
      >
        Try it
      </button>
      {answer !== '' && <Code label={`Answer of ${path}`} text={answer} />}
    </div>
  );
}
