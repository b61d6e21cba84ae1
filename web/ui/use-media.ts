import { useEffect, useState } from 'preact/hooks';

/** Whether the window is as a media query says; it is told anew when that changes. */
export function useMedia(text: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(text).matches);
  useEffect(() => {
    const query = matchMedia(text);
    const look = () => setMatches(query.matches);
    look();
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, [text]);
  return matches;
}
