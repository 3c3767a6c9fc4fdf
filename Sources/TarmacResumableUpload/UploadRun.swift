#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacTransfer

/// The server's upload is another one than this.
private struct UploadGone: Error {}

/// The place of an upload on the server.
struct UploadPlace: Sendable {
    let url: HTTPURL
    /// The head of the last response about it.
    var head: Response
    var expires: Date?
    /// Whether the place is from a ledger, so that it may no longer exist.
    var isRecalled = false
    /// Whether an earlier call may have sent the last bytes, and has not learned the outcome.
    var mayBeComplete = false
    /// Whether the cookies are others than those with which it was started.
    var isOfOther = false
    /// The end of the furthest request that may have been sent. The server cannot have more bytes.
    var sent: Int64
}

/// Carries out one resumable upload: creates or finds its place, appends, and asks for the progress after an
/// interruption.
final class UploadRun {
    let upload: UploadContext
    private let wire: any UploadWire
    private var place: UploadPlace?
    private var chunk: Int64
    private var backoff: Backoff
    /// The number of bytes that the server has; `nil` if it must be asked.
    private var offset: Int64?
    private var freshStarts = 0
    /// Whether the last request carries the last bytes.
    private var sendsEnd = false
    /// The failure of the request with the last bytes, if the server may have received all of them.
    private var lost: TarmacError?
    /// The failure of such a request in an earlier call.
    private static let lostBefore = TarmacError(.connectionLost, phase: .waiting)

    init(_ upload: UploadContext) {
        self.upload = upload
        wire = upload.settings.wire
        chunk = upload.settings.largestRequest
        backoff = Backoff(upload.context, upload.resume, held: 0)
    }

    /// Runs the upload; returns its place and the last response.
    func run() async throws -> UploadedFile {
        place = try await upload.recall()
        if place?.mayBeComplete == true { lost = Self.lostBefore }
        if place?.isOfOther == true { throw unknown(Self.lostBefore, "the cookies are others now", cause: nil) }
        while true {
            do {
                try upload.checkEnd()
                if let landed = try await step() {
                    await upload.end()
                    upload.meter?.finish()
                    return landed
                }
            } catch let error as TarmacError {
                try await recover(from: error)
            } catch is UploadGone {
                if let lost { throw unknown(lost, cause: nil) }
                try await startOver()
            }
        }
    }

    private func step() async throws -> UploadedFile? {
        guard let place else {
            try await create()
            return nil
        }
        guard let offset else { return try await ask(place) }
        upload.meter?.update { $0.sent = offset }
        if offset == upload.source.length, wire.endsWithLastByte { return UploadedFile(url: place.url, response: place.head) }
        return try await append(at: offset, place)
    }

    // MARK: The requests

    /// Checks before the upload is created whether the server supports it.
    private func checkAbilities() async throws {
        guard upload.settings.isAskingFirst else { return }
        let question = Request(.options, upload.request.url, headers: upload.headers(wire.question, to: upload.request.url))
        let answer: Response
        do { answer = try await upload.answer(question) } catch let error as TarmacError where error.code == .unacceptableStatus {
            // A server with 412 checks the version here too; any other status means that it does not support OPTIONS.
            guard error.status?.code == 412, let head = error.response else { return }
            return try wire.abilities(head.headers).check(upload.source.length, upload.settings)
        }
        if upload.page(answer) != nil { return }
        do throws(TarmacError) { try wire.abilities(answer.headers).check(upload.source.length, upload.settings) } catch { throw TransferFault(error) }
    }

    private func create() async throws {
        try await checkAbilities()
        let response = try await upload.answer(wire.creation(upload.source, upload.creation(isAnew: freshStarts > 0)))
        let state = try wire.state(response.headers, now: upload.now)
        guard let location = response.headers[values: .location].first else {
            if let page = upload.page(response) { throw page }
            throw TransferFault(TarmacError(.uploadProtocolFailed, phase: .judging, "the server made an upload and did not say where: no Location"))
        }
        let url = try upload.checked(location, from: response.url)
        do throws(TarmacError) {
            try UploadAbilities(maxSize: state.maxSize, minSize: state.minSize).checkSize(upload.source.length)
        } catch { throw TransferFault(error) }
        note(state)
        let made = UploadPlace(url: url, head: response.headOnly, expires: state.expires, sent: 0)
        try await upload.note(made)
        (place, offset) = (made, 0)
    }

    /// Asks for the number of bytes that the server has.
    private func ask(_ place: UploadPlace) async throws -> UploadedFile? {
        let response = try await upload.answer(Request(.head, place.url, headers: upload.headers(wire.common, to: place.url)))
        let state = try wire.state(response.headers, now: upload.now)
        // A place from a ledger may now belong to another upload, with another length or more bytes.
        if let length = state.length, length != upload.source.length { throw UploadGone() }
        guard let known = state.offset else {
            if let page = upload.page(response, isHead: true) { throw page }
            // The answer may come from elsewhere. What the server has is unknown, and asked for again.
            try await backoff.wait(after: Self.silence("how much it has", response), isTransient: true)
            return nil
        }
        if known > place.sent, try await !upload.mayBeWhole(known, at: place.url) {
            if place.isRecalled { throw UploadGone() }
            throw TransferFault(
                TarmacError(.uploadProtocolFailed, phase: .judging, "the server says it has \(known) bytes, and at most \(place.sent) were sent to it"))
        }
        note(state)
        if state.isComplete == true {
            try checkWhole(known, response)
            return UploadedFile(url: place.url, response: response.headOnly)
        }
        await note(expires: state.expires)
        backoff.progressed(to: known)
        (offset, lost) = (known, nil)
        if known < upload.source.length { try? await upload.note(isEndSent: nil, to: place.url) }
        return nil
    }

    private func append(at start: Int64, _ place: UploadPlace) async throws -> UploadedFile? {
        try upload.source.checkUnchanged()
        let end = chunk < upload.source.length - start ? start + chunk : upload.source.length
        let isLast = end == upload.source.length
        var request = Request(.patch, place.url, headers: upload.headers(wire.append(at: start, isLast: isLast), to: place.url))
        request.body = upload.body(start..<end, contentType: wire.contentType)
        request.headers[.contentType] = wire.contentType
        if let algorithm = upload.settings.checksum { request.headers.append(wire.checksum(try await upload.digest(start..<end, algorithm), algorithm)) }
        // Before they are sent, because the process may end before the answer arrives.
        if isLast { try await upload.note(isEndSent: true, to: place.url) }
        self.place?.sent = max(place.sent, end)
        // Until the response arrives, the number of received bytes is unknown.
        (offset, sendsEnd) = (nil, isLast)
        let response = try await upload.answer(request)
        sendsEnd = false
        // A file that changed while it was read is neither the old file nor the new one.
        try upload.source.checkUnchanged()
        let state = try wire.state(response.headers, now: upload.now)
        note(state)
        if state.isComplete == true {
            // Only the last request can complete the upload, whatever offset is stated.
            try checkWhole(isLast ? state.offset ?? end : end, response)
            return UploadedFile(url: place.url, response: response)
        }
        await note(expires: state.expires)
        guard let reached = state.offset ?? state.isComplete.map({ _ in end }) else {
            let page = upload.page(response), silence = page ?? Self.silence("what became of the bytes it was sent", response)
            if wire.statesOffset, page == nil { throw TransferFault(silence) }
            if isLast { lost = silence }
            if let page { throw page }
            try await backoff.wait(after: silence, isTransient: true)
            return nil
        }
        guard reached > start, reached <= end else {
            throw TransferFault(
                TarmacError(.uploadProtocolFailed, phase: .judging, "the server took \(end - start) bytes at \(start) and says it has \(reached)"))
        }
        // Complete. A call that is cancelled now has succeeded, and leaves no record.
        if reached == upload.source.length, wire.endsWithLastByte { return UploadedFile(url: place.url, response: response.headOnly) }
        offset = reached
        self.place?.head = response.headOnly
        if reached == end, chunk >= min(upload.settings.largestRequest, 64 << 10) || reached == upload.source.length {
            backoff.progressed(to: reached)
        } else {
            try await backoff.passed(to: reached, elseThrow: Self.nibbles)
        }
        return nil
    }

    /// Returns the error for a success that says nothing about the upload.
    private static func silence(_ subject: String, _ response: Response) -> TarmacError {
        TarmacError(.uploadProtocolFailed, phase: .judging, "the server does not say \(subject)").with(response: response.snapshot)
    }

    /// The error of a server that takes a file in countless small parts.
    private static var nibbles: TarmacError {
        TarmacError(.uploadProtocolFailed, phase: .judging, "the server takes a few bytes of the upload with each request")
    }

    /// Throws if the server calls an incomplete upload complete.
    private func checkWhole(_ known: Int64, _ response: Response) throws(TransferFault) {
        let length = upload.source.length
        if known == length { return }
        throw TransferFault(
            TarmacError(.uploadProtocolFailed, phase: .judging, "the server calls the upload complete with \(known) of \(length) bytes")
                .with(response: response.snapshot))
    }

    private func note(_ answer: UploadAnswer) {
        // The minimum applies to all requests but the last; if the limits conflict, the maximum is respected.
        if let least = answer.minAppendSize { chunk = max(chunk, least) }
        if let most = answer.maxAppendSize, most > 0 { chunk = min(chunk, most) }
    }

    /// Notes a new expiry date: the server may keep an active upload longer.
    private func note(expires: Date?) async {
        guard let expires, expires != place?.expires else { return }
        place?.expires = expires
        await upload.note(expires: expires)
    }

    // MARK: Errors

    private func recover(from error: TarmacError) async throws {
        let answer = error.response.flatMap { try? wire.state($0.headers, now: upload.now) }, most = chunk
        if error.status?.code == 413, let answer { note(answer) }
        if sendsEnd {
            if UploadRecovery.isOutcomeUnknown(error) { lost = error } else if let place { try? await upload.note(isEndSent: nil, to: place.url) }
        }
        sendsEnd = false
        let situation = UploadRecovery.Situation(
            failure: error, hasPlace: place != nil, isRecalled: place?.isRecalled == true, freshStarts: freshStarts,
            isComplete: answer?.isComplete == true, endWasLost: lost != nil, fitsNow: chunk < min(most, upload.source.length))
        switch UploadRecovery(resumes: !upload.resume.isNever).decide(situation) {
        case .fail: throw error
        case .refuse(let reason): throw TarmacError(.uploadProtocolFailed, phase: .judging, reason).with(response: error.response)
        case .beginAnew: try await startOver()
        case .unknown: throw unknown(lost ?? error, cause: error)
        case .ask(let isTransient):
            offset = nil
            do { try await backoff.wait(after: error, isTransient: isTransient) } catch let failure as TarmacError { throw Self.passing(failure) }
        }
    }

    /// Returns an error that a stored call tries again, if the server still holds an earlier request of the upload or receives damaged bytes. The
    /// bare status would be that of a refusal.
    private static func passing(_ failure: TarmacError) -> TarmacError {
        guard let status = failure.rejectedStatus, [409, 423, 460].contains(status) else { return failure }
        let reason = status == 460 ? "the bytes of the upload arrive damaged" : "the server still holds an earlier request of the upload"
        return TarmacError(.connectionLost, phase: .judging, "\(reason): it answers \(status)", cause: failure).with(response: failure.response)
    }

    private func unknown(
        _ lost: TarmacError, _ reason: String = "the server does not know the upload any more", cause: TarmacError?
    ) -> TarmacError {
        let release = upload.hasRecord ? "; until TransferLedger.forget(_:) removes its record, no call does" : ""
        return TarmacError(
            lost.code, phase: lost.phase,
            "the answer to the last bytes of the upload was lost, and \(reason): it may be complete",
            suggestion: "ask the service whether it has the file before uploading it again\(release)", cause: cause
        ).with(response: lost.response)
    }

    private func startOver() async throws {
        freshStarts += 1
        guard freshStarts <= 2 else {
            throw TransferFault(TarmacError(.uploadProtocolFailed, phase: .judging, "the server forgets the upload, or tells another length, again and again"))
        }
        (place, offset) = (nil, nil)
        try await upload.forget()
    }
}
