// The open document: its text, its version and what has happened to it since it was loaded.
(function () {
  class OpenDocument {
    constructor(answer) {
      this.events = kit.emitter();
      this.take(answer);
      this.changed = false;
      this.saving = null;
      this.lease = null;
    }

    take(answer) {
      this.id = answer.id;
      this.title = answer.title;
      this.version = answer.version;
      this.text = answer.text;
      this.events.emit('taken', this);
    }

    // Whoever holds the lease writes without asking; without one the server compares versions.
    async lock() {
      try {
        this.lease = (await Folio.lock(this.id)).lease;
      } catch (error) {
        console.info('[document] no lease, %s', error.message);
      }
    }

    edit(text) {
      if (text === this.text) return;
      this.text = text;
      this.changed = true;
      this.events.emit('edited', text);
    }

    async save() {
      if (this.saving || !this.changed) return this.saving;
      this.changed = false;
      this.saving = Folio.save(this.id, this.version, this.text, this.lease)
        .then((answer) => {
          if (answer.conflict) {
            console.warn('[document] somebody was quicker, merging with version %d', answer.current.version);
            this.version = answer.current.version;
            this.changed = true;
            setTimeout(() => this.save(), 700);
          } else {
            this.version = answer.version;
            this.events.emit('saved', answer);
          }
        })
        .finally(() => { this.saving = null; });
      return this.saving;
    }

    words() {
      return this.text.split(/\s+/).filter(Boolean).length;
    }
  }

  Folio.OpenDocument = OpenDocument;
})();
