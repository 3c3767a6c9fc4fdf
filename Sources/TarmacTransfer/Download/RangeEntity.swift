import HTTPTypes
import TarmacCore

/// What identifies the file a server sends, so that a part of it can be told from a part of another.
struct RangeEntity: Codable, Sendable, Hashable {
    /// A validator that changes with every byte (RFC 9110 §8.8.1).
    enum Validator: Codable, Sendable, Hashable {
        case tag(String)
        case date(String)

        /// The value of If-Range (RFC 9110 §13.1.5).
        var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }
    }

    /// `nil` when nothing strong was sent: a part of it cannot be completed.
    var validator: Validator?
    /// The length of the whole; `nil` when the server did not say.
    var total: Int64?
    /// The digest of the whole, in hexadecimal, by algorithm.
    var digest: String?
    var digestAlgorithm: DigestAlgorithm?

    /// Nothing is known of it, so that no part of it can be completed.
    static let unknown = RangeEntity()
    private init() {}

    /// Of a response. Of one that came in a content coding nothing counts: its positions, its validator and its digest are those
    /// of the coded bytes (RFC 9110 §8.8.3.3, RFC 9530 §3), wherever they were decoded.
    init(_ response: Response, isWhole: Bool) {
        if !response.isCoded { self.init(response.headers, isWhole: isWhole) } else { self.init() }
    }

    /// Of the head of a response without a coding.
    ///
    /// - Parameter isWhole: whether Content-Length is that of the whole.
    init(_ headers: HTTPFields, isWhole: Bool) {
        if let digest = DigestField.strongest(DigestField.representation, in: headers) {
            self.digest = Hexadecimal.text(digest.bytes)
            digestAlgorithm = digest.algorithm
        }
        validator = Self.validator(headers)
        if isWhole { total = headers[values: .contentLength].first.flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil } }
    }

    var expected: ExpectedDigest? {
        guard let digest, let digestAlgorithm, let bytes = Hexadecimal.bytes(digest) else { return nil }
        return ExpectedDigest(digestAlgorithm, bytes)
    }

    /// Whether another answer may be about the same file, as far as it says.
    func agrees(with headers: HTTPFields) -> Bool {
        switch validator {
        case .tag(let tag): headers[values: .eTag].allSatisfy { $0 == tag }
        case .date(let date): headers[values: .lastModified].allSatisfy { $0 == date } && !headers.contains(.eTag)
        case nil: false
        }
    }

    private static func validator(_ headers: HTTPFields) -> Validator? {
        let tags = headers[values: .eTag]
        if let tag = tags.first { return tags.count == 1 && isStrong(tag) ? .tag(tag) : nil }
        // RFC 9110 §13.1.5: a date only where there is no tag; §8.8.2.2: and only one that is older than the answer by a second.
        guard let text = headers[values: .lastModified].first, let date = headers[values: .date].first,
            let changed = HTTPDate.seconds(text, currentYear: 2000), let sent = HTTPDate.seconds(date, currentYear: 2000), sent > changed
        else { return nil }
        return .date(text)
    }

    /// RFC 9110 §8.8.3: in quotes, without `W/`.
    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") && !tag.dropFirst().dropLast().contains("\"")
    }
}

extension Response {
    /// Whether the server sent it in a coding other than identity, which may have been taken off meanwhile.
    var isCoded: Bool { isDecoded || headers.namesCoding }
}

extension HTTPFields {
    fileprivate var namesCoding: Bool {
        self[values: .contentEncoding].flatMap { $0.split(separator: ",") }.contains { !$0.trimmed.isEmpty && $0.trimmed.lowercased() != "identity" }
    }
}
