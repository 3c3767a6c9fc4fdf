import TarmacJSON

/// Turns the error of a decoder into a `TarmacError` with a JSON path.
package enum DecodingFailure {
    /// Returns the error of a decoder as a `TarmacError`.
    ///
    /// - Parameter root: the JSON path of the value within the body.
    package static func error<Value>(_ error: any Error, as type: Value.Type, below root: String = "$") -> TarmacError {
        guard let decoding = error as? DecodingError else {
            return TarmacError(.decodingFailed, phase: .decoding, "the response cannot be decoded as \(type)", cause: error)
        }
        let (path, words) = describe(decoding, below: root)
        let place = decoding.place
        return TarmacError(
            .decodingFailed, phase: .decoding, "the response cannot be decoded as \(type): \(words)\(place?.foundKind ?? "")",
            suggestion: "compare the type with the body in error.response", cause: error, path: place?.path.description ?? path)
    }

    private static func describe(_ error: DecodingError, below root: String) -> (path: String, words: String) {
        switch error {
        case .keyNotFound(let key, let context):
            (text(context.codingPath + [key], root), "the member \"\(key.stringValue)\" is missing")
        case .typeMismatch(let type, let context): (text(context.codingPath, root), "expected \(type)")
        case .valueNotFound(let type, let context): (text(context.codingPath, root), "expected \(type), not null")
        // The description of a corrupted value may quote the value, and the value may be a secret.
        case .dataCorrupted(let context): (text(context.codingPath, root), "a value is not valid")
        @unknown default: (root, "it cannot be decoded")
        }
    }

    /// Returns a coding path as a JSON path, such as `$.users[3].name`.
    private static func text(_ path: [any CodingKey], _ root: String) -> String {
        path.reduce(root) { text, key in key.intValue.map { "\(text)[\($0)]" } ?? "\(text).\(key.stringValue)" }
    }
}

extension DecodingError {
    /// The fault as TarmacJSON describes it. `nil` for other decoders.
    var place: JSONError? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context):
            context.underlyingError as? JSONError
        @unknown default: nil
        }
    }
}

extension JSONError {
    /// The kind and the place of the value that was found.
    ///
    /// The text never holds the value itself: it may come from a text inside the text, where the secret names
    /// are not known.
    fileprivate var foundKind: String {
        guard let line, let column else { return "" }
        let kind = ["string", "number", "bool"].first { found?.hasPrefix("\($0) ") == true }
        return (kind.map { ", found a \($0)" } ?? "") + " in line \(line), column \(column)"
    }
}
