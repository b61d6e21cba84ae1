/** Made by src/ops/web.mjs of the documents in docs/. */
declare module 'virtual:docs' {
  const docs: readonly {
    /** The kind of page: Tutorial, Guides and so on. */
    kind: string;
    slug: string;
    title: string;
    url: string;
    headings: readonly { id: string; text: string; depth: number }[];
  }[];
  export default docs;
}

declare module '*.css';
