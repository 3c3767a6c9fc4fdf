import Foundation
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacJSON

@Suite("One document a response")
struct OneDocumentTests {
    /// Keeps the document the verdict attached.
    // SAFETY: written by the one call of a test, read after it.
    final class Witness: Interceptor, @unchecked Sendable {
        private(set) var document: JSONDocument?
        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            let response = try await chain.proceed(request)
            document = response.document
            return response
        }
    }

    private func client(_ body: String, _ witness: Witness, status: Int = 200) -> Client {
        Client(transport: .stub { _ in .json(body, status: .init(code: status)) }) {
            $0.interceptors = [witness]
            $0.envelope = Envelope(success: { $0["ok"] == true }, message: "message", payload: "data")
            $0.shape = .object(["id": .integer])
        }
    }

    @Test func envelopeShapeModelAndLandedJSONReadTheSame() async throws {
        let witness = Witness()
        let landed = try await client(#"{"ok":true,"data":{"id":7}}"#, witness).landed(for: .get("http://127.0.0.1/a", as: JSON.self))
        let document = try #require(witness.document)
        #expect(landed.value.storage === document.storage)
        #expect(try landed.json.storage === document.storage)
    }

    /// A failure must not pass for a success because the server calls its JSON text, or nothing.
    @Test(arguments: ["text/html", "text/plain; charset=utf-8", nil])
    func theEnvelopeOfACallWithoutAValueIsReadWhateverItsType(contentType: String?) async throws {
        func client(_ body: String) -> Client {
            Client(transport: .stub { _ in .bytes(Bytes(body), contentType: contentType) }) {
                $0.envelope = Envelope(success: { $0["ok"] == true }, message: "message")
            }
        }
        let error = await #expect(throws: TarmacError.self) { try await client(#"{"ok":false,"message":"no"}"#).post("http://127.0.0.1/a") }
        #expect(error?.code == .envelopeFailure && error?.serverMessage == "no")
        for body in [#"{"ok":true}"#, "OK", "<p>fine</p>", "", "[1]"] { try await client(body).post("http://127.0.0.1/a") }
    }

    @Test func bytesAreNotCopied() async throws {
        let witness = Witness()
        let landed = try await client(#"{"ok":true,"data":{"id":7}}"#, witness).landed(for: .get("http://127.0.0.1/a", as: JSON.self))
        let document = try #require(witness.document)
        let body = landed.response.body.collected?.withUnsafeBytes { $0.baseAddress }
        #expect(document.withUnsafeBytes { $0.baseAddress } == body)
    }

    @Test func serversWordsAndServersErrorReadTheSame() async throws {
        struct Words: Decodable { var message: JSON }
        let witness = Witness()
        let error = await #expect(throws: TarmacError.self) {
            try await client(#"{"ok":false,"message":"sold out"}"#, witness, status: 409).get("http://127.0.0.1/a")
        }
        #expect(error?.serverMessage == "sold out")
        let document = try #require(witness.document)
        #expect(try error?.serverError(as: Words.self)?.message.storage === document.storage)
    }

    /// A value that is not made of JSON has no document until somebody asks; then it has one.
    @Test func jsonAskedForLateIsParsedOnce() async throws {
        let client = Client(transport: .stub { _ in .json(#"{"id":7}"#) })
        let landed = try await client.landed(for: .get("http://127.0.0.1/a", as: Data.self))
        #expect(landed.response.document == nil)
        #expect(try landed.json.storage === landed.json.storage)
    }

    @Test func longErrorBodiesAreNotKeptWhole() async {
        let witness = Witness()
        let text = #"{"ok":false,"message":"sold out","more":""# + String(repeating: "x", count: 100_000) + "\"}"
        let error = await #expect(throws: TarmacError.self) { try await client(text, witness, status: 409).get("http://127.0.0.1/a") }
        #expect(error?.serverMessage == "sold out")
        #expect(error?.response?.isTruncated == true)
        #expect(throws: TarmacError.self) { try error?.serverError(as: JSON.self) }
    }
}

extension JSON {
    fileprivate var storage: DocumentStorage? { if case .view(let storage, _) = node { storage } else { nil } }
}
