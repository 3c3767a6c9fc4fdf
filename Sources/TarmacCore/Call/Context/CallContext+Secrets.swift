import TarmacMasking

/// Only errors and observers ask; a call that lands gathers nothing.
extension CallContext {
    /// Returns an error whose texts repeat no secret that the call has sent, as far as they are known.
    func masked(_ error: TarmacError) -> TarmacError {
        let redactor = redactor, (built, sent) = progress.withLock { ($0.request, $0.sent) }
        var known = KnownSecrets()
        if let built { redactor.add(sent == nil ? previewed(stamped(built)) : built, to: &known) }
        if let sent { redactor.add(sent, to: &known) }
        return error.masking { redactor.text($0, known: known) }
    }
}
