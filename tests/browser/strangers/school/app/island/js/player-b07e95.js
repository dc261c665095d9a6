export class QuizPlayer {
  constructor(root, quiz) { this.root = root; this.quiz = quiz; }
  start() { this.root.textContent = this.quiz.questions[0].text; }
}
