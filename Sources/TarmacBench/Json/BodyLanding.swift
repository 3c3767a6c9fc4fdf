#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacJSON

/// The work of a call from the last byte of its body to its value: the verdict stage's policy, then the payload.
struct BodyLanding {
    private let response: Response
    private let envelope: Envelope
    private let policy: VerdictPolicy
    private let options = JSONDocument.Options()

    init(_ data: Data, envelope: Envelope = .off, shape: Shape = .any) throws {
        response = Response(
            status: .ok, headers: [.contentType: "application/json"], body: .bytes(Bytes(data)), url: try HTTPURL("https://api.example/items"))
        self.envelope = envelope
        policy = VerdictPolicy(
            status: .success, contentTypes: .automatic, envelope: envelope, shape: shape, readsJSON: true, needsJSON: true,
            ignoresBody: false, documentOptions: options)
    }

    func value<Value: Decodable>(as type: Value.Type) throws -> Value {
        let judged = policy.judge(response)
        if case .failure(let error)? = judged.verdict { throw error }
        return try Payload(alone: judged, envelope: envelope, decoder: .tarmac, documentOptions: options).decode(type)
    }
}
#endif
