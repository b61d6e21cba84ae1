/** A JSON schema as a list of fields, in the words of the documents. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  title?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

export type Resolve = (schema: Schema) => Schema;

/** Follows references within a document. */
export const resolverOf =
  (document: object): Resolve =>
  (schema) => {
    let here = schema;
    for (let steps = 0; here.$ref !== undefined && steps < 10; steps++) {
      here = at(document, here.$ref);
    }
    return here;
  };

function at(document: object, pointer: string): Schema {
  let here: unknown = document;
  for (const part of pointer.replace(/^#\//, '').split('/')) {
    here = (here as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return (here ?? {}) as Schema;
}

/** How deep fields of fields are written out. */
const DEEPEST = 4;

export function Fields({ schema, resolve, depth = 0 }: { schema: Schema; resolve: Resolve; depth?: number }) {
  const whole = resolve(schema);
  const variants = whole.anyOf ?? whole.oneOf;
  if (whole.properties === undefined && variants !== undefined) {
    const objects = variants.map(resolve).filter(({ properties }) => properties !== undefined);
    if (objects.length === 0) return <p class="soft">{nameOf(whole, resolve)}</p>;
    return (
      <>
        {objects.map((variant, index) => (
          <div key={index} class="variant">
            {objects.length > 1 && <p class="soft">{index === 0 ? 'Either' : 'or'}</p>}
            <Fields schema={variant} resolve={resolve} depth={depth} />
          </div>
        ))}
      </>
    );
  }
  if (whole.type === 'array' && whole.items !== undefined) {
    return (
      <>
        <p class="soft">A list of</p>
        <Fields schema={whole.items} resolve={resolve} depth={depth} />
      </>
    );
  }
  if (whole.properties === undefined) return <p class="soft">{nameOf(whole, resolve)}</p>;
  const required = new Set(whole.required);
  return (
    <dl class="fields">
      {Object.entries(whole.properties).map(([name, field]) => {
        const inner = innerOf(field, resolve);
        return (
          <div key={name}>
            <dt>
              <code>{name}</code> <span class="soft">{nameOf(field, resolve)}</span>
              {!required.has(name) && <span class="badge">optional</span>}
            </dt>
            <dd>
              {resolve(field).description}
              {inner !== null && depth < DEEPEST && <Fields schema={inner} resolve={resolve} depth={depth + 1} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The object behind a field: its own, of its items, or the one that is not null. */
function innerOf(schema: Schema, resolve: Resolve): Schema | null {
  const whole = resolve(schema);
  if (whole.properties !== undefined) return whole;
  if (whole.items !== undefined) return innerOf(whole.items, resolve);
  const inner = (whole.anyOf ?? whole.oneOf ?? [])
    .map((variant) => innerOf(variant, resolve))
    .filter((one) => one !== null);
  return inner.length > 1 ? { anyOf: inner } : (inner[0] ?? null);
}

function nameOf(schema: Schema, resolve: Resolve): string {
  const whole = resolve(schema);
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (whole.enum !== undefined) return whole.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = whole.anyOf ?? whole.oneOf;
  if (variants !== undefined) return [...new Set(variants.map((variant) => nameOf(variant, resolve)))].join(' | ');
  if (whole.type === 'array') return `list of ${whole.items === undefined ? 'anything' : nameOf(whole.items, resolve)}`;
  if (whole.properties !== undefined) return whole.title ?? 'object';
  const type = Array.isArray(whole.type) ? whole.type.join(' | ') : (whole.type ?? 'anything');
  return `${whole.format === undefined ? type : whole.format}${boundsOf(whole)}`;
}

function boundsOf({ minimum, maximum, minLength, maxLength, default: byDefault }: Schema): string {
  const low = minimum ?? minLength;
  const most = maximum ?? maxLength;
  const high = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  const bounds =
    low !== undefined && high !== undefined
      ? `${low} to ${high}`
      : low !== undefined
        ? `from ${low}`
        : high !== undefined
          ? `up to ${high}`
          : '';
  return `${bounds === '' ? '' : `, ${bounds}`}${byDefault === undefined ? '' : `, default ${JSON.stringify(byDefault)}`}`;
}
