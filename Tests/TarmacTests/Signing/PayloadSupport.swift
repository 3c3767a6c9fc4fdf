import HTTPTypes
import TarmacTesting
import Tarmac
import TarmacSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cipher of the user's own: every bit turned over, and a header field that counts the times.
struct Flip: PayloadCipher {
    var key = ""
    var count = Watched(0)
    /// What is opened grows to.
    var opensTo: Int?

    static func flip(_ bytes: Bytes) -> Bytes { Bytes(bytes.array.map { ~$0 }) }

    func seal(_ request: Request, at date: Date) throws -> Request {
        var sealed = request
        count.update { $0 += 1 }
        sealed.headers[.flip] = "\(count.value)"
        if let plain = request.body.buffered, !plain.isEmpty { sealed.body = .bytes(Self.flip(plain), contentType: request.body.contentType) }
        return sealed
    }

    func open(_ response: Response, to request: Request, at date: Date) throws -> Response {
        guard response.headers[.flip] == request.headers[.flip] else {
            throw TarmacError(.decryptionFailed, phase: .receiving, "it was flipped for another request")
        }
        guard let body = response.body.collected else { throw Foreign() }
        var opened = response
        opened.body = .bytes(opensTo.map { Bytes([UInt8](repeating: 0x20, count: $0)) } ?? Self.flip(body))
        return opened
    }
}

/// A signer of the user's own: a number and the date in a header field.
struct Counting: RequestSigner {
    var key = ""
    var count = Watched(0)

    func sign(_ request: Request, at date: Date) throws -> Request {
        var signed = request
        count.update { $0 += 1 }
        signed.headers[.number] = "\(count.value) \(Int(date.timeIntervalSinceReferenceDate)) \(request.body.buffered?.count ?? -1)"
        return signed
    }
}

/// A verifier of the user's own: the response repeats what the request carries, and its body is what the wire had.
struct Echoed: ResponseVerifier {
    var key = ""

    func verify(_ response: Response, to request: Request, at date: Date) throws {
        guard let number = response.headers[.number] else { throw TarmacError(.signatureMissing, phase: .receiving, "there is no number") }
        guard number == request.headers[.number], response.headers[.size] == "\(response.body.collected?.count ?? -1)" else { throw Foreign() }
    }
}

extension HTTPField.Name {
    static var flip: Self { Self("X-Flip")! }
    static var number: Self { Self("X-Number")! }
    static var size: Self { Self("X-Size")! }
}

extension Response {
    /// As a server answers that flips.
    static func flipped(_ text: String, _ request: Request, status: HTTPResponse.Status = .ok) -> Response {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.flip] = request.headers[.flip]
        return .bytes(Flip.flip(Bytes(text)), status: status, headers: headers)
    }

    /// As a server answers that repeats the number.
    static func numbered(_ response: Response, _ request: Request) -> Response {
        var response = response
        response.headers[.number] = request.headers[.number]
        response.headers[.size] = "\(response.body.collected?.count ?? -1)"
        return response
    }
}
