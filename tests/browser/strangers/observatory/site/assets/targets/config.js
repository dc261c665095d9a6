window.OBS_CONFIG = {
  catalogue: 'http://127.0.0.1:@@PARTNER@@/v2',
  request: { credentials: 'include', redirect: 'follow' },
  pageSize: 50
};
