/// What a decoder threw, with the JSON path in the error.
enum DecodingFailure {
    /// - Parameter root: where in the body the value stands.
    static func error<Value>(_ error: any Error, as type: Value.Type, below root: String = "$") -> TarmacError {
        guard let decoding = error as? DecodingError else {
            return TarmacError(.decodingFailed, phase: .decoding, "no \(type) could be made of the answer", cause: error)
        }
        let (path, words) = describe(decoding, below: root)
        return TarmacError(
            .decodingFailed, phase: .decoding, "no \(type) could be made of the answer: \(words)",
            suggestion: "compare the type with the body in error.response", cause: error, path: path)
    }

    private static func describe(_ error: DecodingError, below root: String) -> (path: String, words: String) {
        switch error {
        case .keyNotFound(let key, let context):
            (text(context.codingPath + [key], root), "the member \"\(key.stringValue)\" is missing")
        case .typeMismatch(let type, let context): (text(context.codingPath, root), "expected \(type)")
        case .valueNotFound(let type, let context): (text(context.codingPath, root), "found null, expected \(type)")
        // A corrupted value's own words may quote it, and it may be a secret.
        case .dataCorrupted(let context): (text(context.codingPath, root), "a value is not valid")
        @unknown default: (root, "it cannot be decoded")
        }
    }

    /// `$.users[3].name`
    private static func text(_ path: [any CodingKey], _ root: String) -> String {
        path.reduce(root) { text, key in key.intValue.map { "\(text)[\($0)]" } ?? "\(text).\(key.stringValue)" }
    }
}
