import HTTPTypes
import TarmacCore

/// Sends the header field that the policy decides on.
struct __NAME__Interceptor: Interceptor {
    let policy: __NAME__Policy

    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        switch policy.decide(on: request.headers) {
        case .leave:
            return try await chain.proceed(request)
        case .send(let text):
            var request = request
            request.headers[.tarmac__NAME__] = text
            return try await chain.proceed(request)
        }
    }
}
