#if Tools
import Tarmac

/// A question that a person answers with yes or no.
struct Confirmation: Sendable {
    /// Whether a person can be asked: standard input and standard error are a terminal.
    let canAsk: Bool
    /// Shows a question and returns the line of the answer; `nil` when there is none.
    let answer: @Sendable (String) -> String?

    static let terminal = Confirmation(canAsk: Descriptor.input.isTerminal && Descriptor.error.isTerminal) { question in
        Console.mark(question)
        return Descriptor.input.readSome().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a person says yes. Anything but `y` and `yes` is no, and so is a program without a terminal.
    func confirms(_ question: String) -> Bool {
        guard canAsk, let line = answer("\(question) [y/N] ") else { return false }
        return ["y", "yes"].contains(line.lowercased().filter { !$0.isWhitespace })
    }
}
#endif
