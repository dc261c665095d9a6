import { openInbox } from './inbox.js';

openInbox().catch((error) => {
  document.getElementById('messages').textContent = 'Your messages could not be loaded.';
  console.error(error);
});
