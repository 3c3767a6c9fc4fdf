/// What is wrong with an XML document, and where; it quotes nothing of the document but names of elements.
public struct XMLFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let reason: String
    /// The line, from 1; `nil` where there is none to name.
    public let line: Int?
    /// The place in its line, from 1.
    public let column: Int?

    init(reason: String, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.line = line
        self.column = column
    }

    public var description: String { line.map { "\(reason), line \($0), column \(column ?? 0)" } ?? reason }
}
