import { useState } from 'preact/hooks';
import { useApi } from '../../lib/use-api.js';
import { Section } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Code } from '../../ui/values.js';
import { DocsPage } from './frame.js';
import { Fields, resolverOf, type Resolve, type Schema } from './schema.js';

interface Message {
  name: string;
  summary?: string;
  payload: Schema;
  examples?: { payload: unknown }[];
}

interface Document {
  operations: Record<string, { action: 'send' | 'receive'; messages: { $ref: string }[] }>;
  components: { messages: Record<string, Message> };
}

/** Every message on /ws, made from the AsyncAPI document of this very server. */
export default function MessageReference() {
  const document = useApi('GET /api/asyncapi.json', {});
  return (
    <DocsPage
      title="Messages on /ws"
      lead={
        <>
          Made from <a href="/api/asyncapi.json">asyncapi.json</a> of this server.
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
  const received = new Set(
    Object.values(of.operations)
      .filter(({ action }) => action === 'receive')
      .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1))),
  );
  const all = Object.entries(of.components.messages);
  const groups = [
    ['Messages of a bot', all.filter(([name]) => received.has(name))],
    ['Messages of the server', all.filter(([name]) => !received.has(name))],
  ] as const;
  return (
    <>
      {groups.map(([title, messages]) => (
        <Section key={title} title={title}>
          {messages.map(([name, message]) => (
            <One key={name} name={name} message={message} resolve={resolve} />
          ))}
        </Section>
      ))}
    </>
  );
}

function One({ name, message, resolve }: { name: string; message: Message; resolve: Resolve }) {
  const [open, setOpen] = useState(location.hash === `#${name}`);
  const [example] = message.examples ?? [];
  return (
    <details class="endpoint" id={name} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{name}</code>
        <span class="soft"> {message.summary}</span>
      </summary>
      {open && (
        <div class="whole">
          <Fields schema={message.payload} resolve={resolve} />
          {example !== undefined && (
            <Code label={`Example of ${name}`} text={JSON.stringify(example.payload, null, 2)} />
          )}
        </div>
      )}
    </details>
  );
}
