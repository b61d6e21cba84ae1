import { useLocation } from 'preact-iso';

/** The query of the address, and how to change it: what is undefined or '' goes away. The URL is the state. */
export function useQuery(): [Record<string, string>, (change: Record<string, string | undefined>) => void] {
  const { path, query, route } = useLocation();
  const change = (values: Record<string, string | undefined>) => {
    const next = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...values })) {
      if (value !== undefined && value !== '') next.set(name, value);
    }
    const text = next.toString();
    route(text === '' ? path : `${path}?${text}`, true);
  };
  return [query, change];
}
