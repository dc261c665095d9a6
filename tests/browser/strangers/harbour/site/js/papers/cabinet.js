import { makeFetcher } from './http.js';

export function makeCabinet() {
  const request = makeFetcher('/api/documents');
  let papers = [];
  let folders = [];
  let quota = null;

  return {
    async open() {
      const [list, shelves, room] = await Promise.all([request('/list'), request('/folders'), request('/quota')]);
      papers = list.items ?? [];
      folders = shelves.folders ?? [];
      quota = room;
    },
    folders: () => folders,
    within: (folder) => papers.filter((paper) => folder === 'all' || paper.folder === folder),
    room: () => (quota ? `${quota.used} kB of ${quota.of / 1024} MB used` : ''),
  };
}
