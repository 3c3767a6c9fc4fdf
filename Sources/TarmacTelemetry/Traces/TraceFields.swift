#if Telemetry
import HTTPTypes
import TarmacCore
import Tracing

/// Writes the fields of a trace, such as `traceparent`, into a request.
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        // A tracer that makes a field that is none loses its trace, and not the call.
        guard let field = try? HTTPField.checked(key, value) else { return }
        carrier[fields: field.name] = [field]
    }
}

/// Reads the fields of a trace from a request.
struct FieldExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? { HTTPField.Name(key).flatMap { carrier[$0] } }
}

extension Tracer {
    /// Returns a request with the fields of a trace if it goes to an origin of the service.
    ///
    /// Another origin learns nothing of the trace: it gets no fields, and none that the call's first request to the service had.
    func traced(_ request: Request, as trace: ServiceContext, in context: CallContext) -> Request {
        var request = request
        let scope = context.scope
        if scope.owns(request.url.origin) {
            inject(trace, into: &request.headers, using: FieldInjector())
        } else if let first = context.request, scope.owns(first.url.origin) {
            var fields: HTTPFields = [:]
            inject(trace, into: &fields, using: FieldInjector())
            for field in fields { request.headers[field.name] = nil }
        }
        return request
    }
}
#endif
