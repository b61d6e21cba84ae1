import { runInNewContext } from 'node:vm';

/** The part of an element that our small pages use. */
export class PageElement {
  hidden = false;
  disabled = false;
  checked = false;
  textContent = '';
  value = '';
  readonly #listeners = new Map<string, (event: object) => unknown>();

  addEventListener(type: string, listener: (event: object) => unknown): void {
    this.#listeners.set(type, listener);
  }

  /** Resolves when the page has handled this event. */
  async fire(type: string): Promise<void> {
    await this.#listeners.get(type)?.({ preventDefault: () => undefined });
  }
}

export interface PageRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The answer of a page's fetch. */
export interface PageAnswer {
  ok: boolean;
  status: number;
  json(): Promise<unknown>;
}

/** One of our pages with its script running: the elements that have an id, the address, and a fetch of the test's. */
export class WebPage {
  readonly #elements = new Map<string, PageElement>();
  /** The content of the address bar. */
  address: string;

  constructor(html: string, url: string, fetch: (path: string, request?: PageRequest) => Promise<PageAnswer>) {
    for (const [tag, id] of html.matchAll(/<[^>]* id="(\w+)"[^>]*>/g)) {
      const element = new PageElement();
      element.hidden = / hidden(?=[ >])/.test(tag);
      this.#elements.set(id!, element);
    }
    const { pathname, hash } = new URL(url);
    this.address = url;
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? '';
    runInNewContext(script, {
      URLSearchParams,
      fetch,
      location: { pathname, hash },
      document: { getElementById: (id: string) => this.at(id) },
      history: { replaceState: (_state: unknown, _title: string, path: string) => (this.address = path) },
    });
  }

  at(id: string): PageElement {
    const element = this.#elements.get(id);
    if (element === undefined) throw new Error(`the page has no element ${id}`);
    return element;
  }

  /** The ids that are visible now, among those that the page hides at times. */
  shown(...ids: string[]): string[] {
    return ids.filter((id) => !this.at(id).hidden);
  }
}
