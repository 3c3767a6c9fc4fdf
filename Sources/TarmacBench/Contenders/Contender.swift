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
    /// PUTs a form with a field and a file.
    func uploadForm(_ path: String, to url: String) async throws
    func shutdown() async throws
}

/// The form a raw client has to write by itself.
enum RawForm {
    static let contentType = "multipart/form-data; boundary=tarmac-bench"
    static let head = part("title") + "\r\nSunrise\r\n" + part("file\"; filename=\"256m.bin") + "Content-Type: application/octet-stream\r\n\r\n"
    static let tail = "\r\n--tarmac-bench--\r\n"

    private static func part(_ name: String) -> String { "--tarmac-bench\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n" }
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
