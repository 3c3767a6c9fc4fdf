import TarmacCore

extension OutboxCore {
    /// Returns the entry of a record.
    func entry(_ record: OutboxRecord) -> OutboxEntry {
        var entry = OutboxEntry(record, coder, failure(in: record))
        entry.settings = runtime(of: record.lane)?.options
        return entry
    }

    /// Returns the failure of a record. Its response is read with the settings of an attempt, as when it arrived.
    func failure(in record: OutboxRecord) -> OutboxFailure? {
        guard var failure = coder.failure(in: record) else { return nil }
        if let answer = failure.response, let settings = settings(of: record) {
            failure.response = ResponseSnapshot(
                status: answer.status, headers: answer.headers, body: answer.body, isTruncated: answer.isTruncated, options: settings.documentOptions,
                decoder: settings.values.decoder)
        }
        return failure
    }

    /// Returns the settings that an attempt would have now; `nil` without the service.
    private func settings(of record: OutboxRecord) -> ResolvedOptions? {
        guard let runtime = runtime(of: record.lane) else { return nil }
        var entry = OutboxEntry(record, coder)
        entry.settings = runtime.options
        guard configure != nil, let mutation = entry.mutation else { return runtime.options }
        let call = OutboxCall(service: runtime.service, endpointName: mutation.endpoint)
        return FlightPlan(call).resolved(runtime, OutboxCall.options(entry, mutation, rule, configure))
    }
}
