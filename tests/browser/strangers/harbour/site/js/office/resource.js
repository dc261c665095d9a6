import { api } from '/js/core/api.js';
import { useEffect, useState } from './hooks.js';

/** What a path answers: again whenever the query is another one. */
export function useResource(path, query) {
  const [state, setState] = useState({ data: null, loading: true });
  useEffect(() => {
    let here = true;
    api.get(path, { query }).then(
      (data) => here && setState({ data, loading: false }),
      () => here && setState({ data: null, loading: false }),
    );
    return () => { here = false; };
  }, [path, query]);
  return state;
}
