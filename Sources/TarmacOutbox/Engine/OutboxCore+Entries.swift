import TarmacCore

extension OutboxCore {
    /// Returns the entry of a record.
    func entry(_ record: OutboxRecord) -> OutboxEntry {
        var entry = OutboxEntry(record, coder, failure(in: record))
        entry.settings = runtime(of: record.lane)?.options
        return entry
    }

    /// Returns the failure of a record. Its response is read with the settings of the service, as when it arrived.
    func failure(in record: OutboxRecord) -> OutboxFailure? {
        guard var failure = coder.failure(in: record) else { return nil }
        if let answer = failure.response, let settings = runtime(of: record.lane)?.options {
            failure.response = ResponseSnapshot(
                status: answer.status, headers: answer.headers, body: answer.body, isTruncated: answer.isTruncated, options: settings.documentOptions,
                decoder: settings.values.decoder)
        }
        return failure
    }
}
