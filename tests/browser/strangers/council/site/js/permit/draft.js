class DraftKeeper {
  constructor(note) { this.note = note; this.remote = true; this.timer = 0; }
  keep(data) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(data), 300);
  }
  async write(data) {
    if (this.remote) {
      const answer = await fetch('/api/permits/draft', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data) });
      if (answer.ok) { this.note.textContent = 'Draft saved in your account.'; return; }
      console.warn(`draft: ${answer.status}, kept on the device instead`);
      this.remote = false;
    }
    sessionStorage.setItem('permit-draft', JSON.stringify(data));
    this.note.textContent = 'Draft saved on this device. Sign in to continue on another one.';
  }
}
