#if Tools
import Foundation
import Tarmac
import TarmacNIO
import TarmacURLSession

/// Something that can do the work: a raw client, or Tarmac over it.
protocol Contender: Sendable {
    var name: String { get }
    /// One GET; returns the number of bytes of its body.
    func get(_ url: String) async throws -> Int
    /// One GET, decoded.
    func getDecoded(_ url: String) async throws -> Int
    func download(_ url: String, to path: String) async throws
    func upload(_ path: String, to url: String) async throws
    func shutdown() async throws
}

/// The 1 KiB answer.
struct Item: Codable, Sendable {
    var id: Int
    var name: String
    var email: String
    var active: Bool
    var score: Double
}

enum Transport: String, CaseIterable, Codable {
    case nio, urlsession

    func raw() -> any Contender {
        switch self {
        case .nio: RawAsyncHTTPClient()
        case .urlsession: RawURLSession()
        }
    }

    func tarmac() -> any Contender {
        switch self {
        case .nio: TarmacContender(name: "Tarmac over AsyncHTTPClient", transport: .asyncHTTPClient)
        case .urlsession: TarmacContender(name: "Tarmac over URLSession", transport: .urlSession)
        }
    }
}
#endif
