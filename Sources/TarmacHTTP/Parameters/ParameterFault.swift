/// The reason why a parameter cannot be sent, with its path.
struct ParameterFault: Error {
    var path: [String]
    let reason: String

    init(_ path: [String], _ reason: String) {
        self.path = path
        self.reason = reason
    }

    init(_ path: [any CodingKey], _ reason: String) {
        self.init(path.map(Self.step), reason)
    }

    // A case of an Int-backed CodingKeys type has an intValue too. Only an index has no name of its own.
    private static func step(_ key: any CodingKey) -> String {
        guard let index = key.intValue, key is ParameterKey || key.stringValue.hasPrefix("Index ") else {
            return key.stringValue
        }
        return "[\(index)]"
    }

    static let tooDeep = "it is nested more than \(ParameterEncoder.depthLimit) levels deep"

    /// The path, such as `filter.ids[3]`. Only the beginning of a long path is shown.
    private var text: String {
        var text = ""
        for step in path.prefix(12) {
            if !text.isEmpty, !step.hasPrefix("[") { text += "." }
            text += step
        }
        return URITemplateParser.shown(path.count > 12 ? text + "…" : text)
    }

    var error: TarmacError { error(cause: nil) }

    func error(cause: (any Error)?) -> TarmacError {
        let subject = path.isEmpty ? "the parameters cannot be sent" : "the parameter \"\(text)\" cannot be sent"
        return TarmacError(
            .invalidParameter, "\(subject): \(reason)", cause: cause, path: path.isEmpty ? nil : text)
    }

    /// Runs a closure and adds the name of a step to the front of the path of an error that it throws.
    @inline(__always)
    static func at<Result>(
        _ step: @autoclosure () -> String, _ body: () throws(ParameterFault) -> Result
    ) throws(ParameterFault) -> Result {
        do {
            return try body()
        } catch {
            throw ParameterFault([step()] + error.path, error.reason)
        }
    }
}
