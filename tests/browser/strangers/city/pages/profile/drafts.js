var Drafts = {
  key: 'portal.profile.draft',

  load: function () {
    var text = localStorage.getItem(this.key);
    return text === null ? null : JSON.parse(text);
  },

  save: function (draft) {
    try {
      localStorage.setItem(this.key, draft);
    } catch (e) {
      // storage is full or blocked: the draft is lost with the page
    }
  },

  clear: function () {
    localStorage.removeItem(this.key);
  }
};
