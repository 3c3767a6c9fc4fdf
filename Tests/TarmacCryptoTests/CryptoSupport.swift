#if Crypto
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum Hex {
    /// Bytes of hexadecimal digits, white space and colons ignored.
    static func bytes(_ text: String) -> [UInt8] { [UInt8](hex: text.filter { !$0.isWhitespace && $0 != ":" }) ?? [] }
}

/// Keys whose bytes are known.
enum Known {
    static let secret = SecretKey(Array(UInt8(0)..<32))
    static let other = SecretKey(Array(UInt8(32)..<64))

    static func keyring(_ algorithm: SealingAlgorithm = .aes256GCM, id: String = "k1", older: [SealingKey] = []) throws -> Keyring {
        try Keyring(current: SealingKey(id, secret, algorithm: algorithm), older: older)
    }
}

/// What the tests land as.
struct Number: Codable, Equatable, Sendable {
    var n: Int
}

extension Client {
    /// A client with one service on `https://s.example`.
    init(_ stub: StubTransport, time: any TimeSource = .system, configure: (inout Options) -> Void = { _ in }) {
        self.init(
            transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time, configure: configure)
    }
}

/// The error a call ends with; records an issue when it is no `TarmacError`.
func failure(
    _ note: String = "", sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
) async -> TarmacError? {
    do {
        try await call()
        Issue.record("it landed \(note)", sourceLocation: sourceLocation)
    } catch let error as TarmacError {
        return error
    } catch {
        Issue.record("\(type(of: error)) came out \(note)", sourceLocation: sourceLocation)
    }
    return nil
}

/// The error that is thrown; records an issue when none is.
func refusal(_ note: String = "", sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void) -> TarmacError? {
    do {
        try work()
        Issue.record("it was accepted \(note)", sourceLocation: sourceLocation)
    } catch let error as TarmacError {
        return error
    } catch {
        Issue.record("\(type(of: error)) came out \(note)", sourceLocation: sourceLocation)
    }
    return nil
}

extension Request {
    init(_ method: HTTPRequest.Method, _ url: String, headers: HTTPFields = [:], json: String?) throws {
        var headers = headers
        if json != nil, !headers.contains(.contentType) { headers[.contentType] = "application/json" }
        self.init(method, try HTTPURL(url), headers: headers, body: json.map { .text($0, contentType: headers[.contentType]) } ?? .none)
    }

    var text: String { String(decoding: body.buffered?.array ?? [], as: UTF8.self) }
}

extension Response {
    var text: String { String(decoding: body.collected?.array ?? [], as: UTF8.self) }
}

extension Date {
    static func unix(_ seconds: Int) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }
}
#endif
