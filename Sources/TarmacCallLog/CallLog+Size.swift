extension CallLog.Entry {
    /// An estimate of the memory that a masked call takes.
    var size: Int {
        let bare = 1_024, texts = endpoint.utf8.count + service.utf8.count + tags.reduce(0) { $0 + $1.utf8.count }
        let messages = (request?.size ?? 0) + (response?.size ?? 0) + (failure?.size ?? 0)
        return bare + texts + messages + attempts.reduce(0) { $0 + $1.size } + events.reduce(0) { $0 + 64 + $1.text.utf8.count }
    }
}

extension CallLog.Attempt {
    fileprivate var size: Int { 512 + request.size + (response?.size ?? 0) + (failure?.size ?? 0) }
}

extension CallLog.Request {
    fileprivate var size: Int { url.utf8.count + headers.size + (body?.keptSize ?? 0) }
}

extension CallLog.Response {
    fileprivate var size: Int { headers.size + (body?.keptSize ?? 0) }
}

extension [CallLog.Field] {
    fileprivate var size: Int { reduce(0) { $0 + 32 + $1.name.utf8.count + $1.value.utf8.count } }
}

extension CallLog.Body {
    fileprivate var keptSize: Int { (text?.utf8.count ?? 0) + (base64?.utf8.count ?? 0) }
}

extension CallLog.Failure {
    fileprivate var size: Int { text.utf8.count }
}
