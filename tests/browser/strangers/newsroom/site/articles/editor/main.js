import { Repository } from '/lib/repository.js';
import { ArticleForm } from './form.js';

const repositories = {
  articles: new Repository('/api/articles'),
  sections: new Repository('/api/sections'),
  people: new Repository('/api/people'),
  checks: new Repository('/api/articles/4711/checks'),
};
const form = new ArticleForm(await repositories.articles.one(4711));
const [sections, authors, checks] = await Promise.all([
  repositories.sections.list(), repositories.people.list({ role: 'author', active: 1 }), repositories.checks.list(),
]);
form.sections(sections);
form.authors(authors);
form.checks(checks);
form.update();
