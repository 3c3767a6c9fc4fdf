#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif
import HTTPTypes
package import TarmacCore

extension URLRequest {
    /// Makes the head of a request.
    ///
    /// - Throws: `TarmacError(.invalidURL)` if Foundation reads the URL in another way.
    package init(_ request: Request) throws(TarmacError) {
        self.init(url: try SessionURL.url(request.url))
        httpMethod = request.method.rawValue
        httpShouldHandleCookies = false
        allHTTPHeaderFields = RequestFields.dictionary(for: request, suppressed: Platform.suppressedFields)
    }
}

extension ResponseHead {
    /// Makes the head of a response.
    ///
    /// - Throws: `TarmacError(.malformedResponse)`.
    init(_ response: HTTPURLResponse, to request: Request) throws(TarmacError) {
        let pairs = response.allHeaderFields.lazy.compactMap { field in
            (field.key as? String).flatMap { name in (field.value as? String).map { (name: name, value: $0) } }
        }
        try self.init(
            method: request.method, status: response.statusCode, fields: try MergedFields.fields(from: pairs),
            decodesContent: true)
    }
}
