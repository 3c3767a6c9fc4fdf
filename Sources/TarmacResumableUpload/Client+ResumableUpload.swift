import HTTPTypes
public import TarmacCore
public import TarmacTransfer

extension Client {
    /// Deletes an unfinished upload on the server (termination in tus, cancellation in the draft), and removes its
    /// record.
    ///
    /// An upload that the server has already forgotten is not an error.
    nonisolated(nonsending) public func terminate(
        _ record: TransferRecord, in ledger: TransferLedger, service: Service = .clientDefault, configure: (inout Options) -> Void = { _ in }
    ) async throws {
        if let upload = record.upload, let kind = UploadProtocol.Kind(rawValue: upload.protocolName) {
            let settings = kind == .tus ? UploadProtocol.tus : .ietf
            let request = Request(.delete, try HTTPURL(upload.url), headers: settings.wire.common)
            let response = try await send(raw: request, service: service, configure: configure)
            let isOver = response.status.kind == .successful || [404, 410].contains(response.status.code)
            guard isOver else {
                throw TarmacError(.unacceptableStatus, phase: .judging, "the server answered \(response.status.code) to the end of an upload").with(
                    response: response.snapshot)
            }
        }
        try await ledger.forget(record)
    }
}
