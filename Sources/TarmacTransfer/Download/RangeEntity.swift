import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport
import TarmacDigest

/// The identity of the file that a server sends, to tell its parts from those of another.
struct RangeEntity: Codable, Sendable, Hashable {
    /// A strong validator, which changes with every byte (RFC 9110 §8.8.1).
    enum Validator: Codable, Sendable, Hashable {
        case tag(String)
        case date(String)

        /// The value for If-Range (RFC 9110 §13.1.5).
        var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }
        private var isDate: Bool { if case .date = self { true } else { false } }

        static func == (one: Self, other: Self) -> Bool { one.isDate == other.isDate && one.text.isExactly(other.text) }
    }

    /// The validator; `nil` if the server sent no strong one, so that a part cannot be completed.
    var validator: Validator?
    /// The length of the whole file; `nil` if unknown.
    var total: Int64?
    /// The digest of the whole file, in hexadecimal.
    var digest: String?
    var digestAlgorithm: DigestAlgorithm?

    /// An entity without a validator, of which no part can be completed.
    static let unknown = RangeEntity()
    private init() {}

    /// Creates the entity of a response.
    ///
    /// If the response has a content coding, the entity is unknown: positions, validator and digest refer to the coded
    /// bytes (RFC 9110 §8.8.3.3, RFC 9530 §3), even if a transport has decoded them.
    init(_ response: Response, isWhole: Bool) {
        if !response.isCoded { self.init(response.headers, isWhole: isWhole) } else { self.init() }
    }

    /// Creates the entity from the head of a response without a content coding.
    ///
    /// - Parameter isWhole: Whether Content-Length is the length of the whole file.
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

    /// Whether another response states the same validator. One without a validator may be about any version.
    func agrees(with headers: HTTPFields) -> Bool {
        switch validator {
        case .tag(let tag): headers[values: .eTag].elementsEqual([tag]) { $0.isExactly($1) }
        case .date(let date): headers[values: .lastModified].elementsEqual([date]) { $0.isExactly($1) } && !headers.contains(.eTag)
        case nil: false
        }
    }

    private static func validator(_ headers: HTTPFields) -> Validator? {
        let tags = headers[values: .eTag]
        if let tag = tags.first { return tags.count == 1 && isStrong(tag) ? .tag(tag) : nil }
        // RFC 9110 §13.1.5: a date only without a tag; §8.8.2.2: only if it is at least one second older than the
        // response.
        guard let text = headers[values: .lastModified].first, let date = headers[values: .date].first,
            let changed = HTTPDate.seconds(text, currentYear: 2000), let sent = HTTPDate.seconds(date, currentYear: 2000), sent > changed
        else { return nil }
        return .date(text)
    }

    /// Whether a tag is quoted and has no `W/` (RFC 9110 §8.8.3). One with bytes that are not UTF-8 was repaired, and so looks like
    /// others.
    private static func isStrong(_ tag: String) -> Bool {
        !tag.unicodeScalars.contains("\u{FFFD}")
            && tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") && !tag.dropFirst().dropLast().contains("\"")
    }
}

extension Response {
    /// Whether the server sent a content coding other than identity, which may already have been decoded.
    var isCoded: Bool { isDecoded || headers.namesCoding }
}
