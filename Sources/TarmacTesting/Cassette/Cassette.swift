#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// Recorded requests and responses for replay in tests: an HTTP Archive 1.2 (HAR), which browsers and proxies also read
/// and write.
///
/// ```swift
/// let recorder = CassetteRecorder()                                                          // once, against the server
/// let client = Client(transport: .recording(.asyncHTTPClient, on: recorder), services: [.shop])
/// …
/// try recorder.cassette.write(to: "Tests/Tapes/login.har")
///
/// let player = CassettePlayer(try Cassette(path: "Tests/Tapes/login.har"))                   // in each test
/// let client = Client(transport: .replaying(player), services: [.shop])
/// …
/// try player.checkPlayed()
/// ```
public struct Cassette: Sendable, CustomStringConvertible {
    let entries: [HAR.Entry]
    private static let sizeLimit = 128 << 20

    init(entries: [HAR.Entry]) { self.entries = entries }

    /// Reads an archive of at most 128 MiB; throws `TarmacError(.decodingFailed)`, which names the fault.
    public init(har: Data) throws(TarmacError) {
        guard har.count <= Self.sizeLimit else { throw Self.unreadable("it is larger than \(Self.sizeLimit) bytes") }
        do { entries = try JSONDecoder().decode(HAR.self, from: har).log.entries } catch {
            throw Self.unreadable("it is no HTTP Archive\(Self.place(of: error))")
        }
    }

    /// Reads a file; see ``init(har:)``.
    public init(path: String) throws(TarmacError) {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { throw Self.unreadable("the file \(path) cannot be opened: \(FileDescriptor.lastError)") }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let size = FileDescriptor.size(descriptor) else { throw Self.unreadable("\(path) is not a regular file") }
        guard size <= Self.sizeLimit else { throw Self.unreadable("\(path) is larger than \(Self.sizeLimit) bytes") }
        guard let data = FileManager.default.contents(atPath: path) else { throw Self.unreadable("the file \(path) cannot be read") }
        try self.init(har: data)
    }

    /// The number of requests.
    public var count: Int { entries.count }

    /// The archive: with sorted members on one line each and without dates, so that a new recording only changes where
    /// the responses have changed.
    ///
    /// Throws `TarmacError(.bodyTooLarge)` if it would be too large to be read again.
    public var har: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(HAR(log: HAR.Log(entries: entries))) + Data("\n".utf8)
            guard data.count <= Self.sizeLimit else {
                throw TarmacError(.bodyTooLarge, "the cassette would be larger than \(Self.sizeLimit) bytes", suggestion: "record less on one")
            }
            return data
        }
    }

    /// Writes the archive to a file in one step, replacing an existing one.
    public func write(to path: String) throws {
        try har.write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// The methods, URLs and statuses, in order.
    public var description: String {
        "a cassette of \(count)" + entries.map { "\n  \($0.request.line) → \($0.outcome)" }.joined()
    }

    private static func unreadable(_ reason: String) -> TarmacError {
        TarmacError(.decodingFailed, "the cassette cannot be read: \(reason)", suggestion: "record it anew")
    }

    /// Returns the member that the error is about. Its content is left out, because it may be a secret.
    private static func place(of error: any Error) -> String {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context): path = context.codingPath
        default: return ""
        }
        return ": \(path.map(\.stringValue).joined(separator: ".")) is missing, or is something else"
    }
}

extension HAR.Entry {
    fileprivate var outcome: String {
        let status = response.status == 0 ? nil : "\(response.status)"
        return [status, failure?.code].compactMap(\.self).joined(separator: ", ")
    }
}
