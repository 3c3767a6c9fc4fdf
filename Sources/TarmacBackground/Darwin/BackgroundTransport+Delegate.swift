#if canImport(Darwin)
import Foundation
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacTransfer
import TarmacURLSession

extension BackgroundTransport: URLSessionDownloadDelegate, URLSessionDataDelegate {
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        guard let label = downloadTask.label, let response = downloadTask.response as? HTTPURLResponse else { return }
        do {
            let head = try ResponseHead(response, to: .get)
            try results.put(label, status: head.status, headers: head.headers, isDecoded: head.isDecoded, from: downloadTask.redirectedURL, body: location.path)
        } catch {
            finish(downloadTask, label, calls.withLock { $0.end(downloadTask.taskIdentifier, label, failure: error) })
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let label = dataTask.label, label.isUpload else { return }
        guard let place = calls.withLock({ $0.place(of: data.count, task: dataTask.taskIdentifier) }) else { return }
        if !results.append(data, to: label, at: place) { calls.withLock { $0.spoilReply(task: dataTask.taskIdentifier) } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        guard let label = task.label else { return }
        calls.withLock { $0.waiting(for: task.taskIdentifier, label) }?.exchange.report(.sentBody(bytes: Int(clamping: bytesSent)))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let label = task.label else { return }
        // Without its description, no call adopts the task any more.
        defer { task.taskDescription = nil }
        let cause = error.map { SessionFailure($0) }
        let (failure, isCancelled) = calls.withLock {
            $0.failure(
                of: task.taskIdentifier, cause?.error(phase: .receiving, hasHead: task.response != nil, cause: error),
                isCancelled: cause?.isCancellation ?? false)
        }
        if label.isUpload { return end(task, label, failure, isCancelled: isCancelled) }
        let data = error.flatMap { resumeData(of: $0) }
        let ending = calls.withLock { $0.end(task.taskIdentifier, label, failure: failure, isCancelled: isCancelled, resumeData: data) }
        finish(task, label, ending)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let note = { [calls] (outcome: SessionAnswers.Outcome) -> Void in
            switch outcome {
            case .refused(let error): calls.withLock { $0.refuse(task.taskIdentifier, error) }
            case .noticed(let notice):
                guard let label = task.label else { return }
                calls.withLock { $0.waiting(for: task.taskIdentifier, label) }?.exchange.report(.pins(notice))
            }
        }
        answers.answer(challenge, of: task, in: session, note, completionHandler)
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { didFinishEvents?() }

    private func finish(_ task: URLSessionTask, _ label: BackgroundLabel, _ ending: Calls.Ending) {
        switch ending {
        case .goOn(let data):
            guard let successor = begin(label, { $0.downloadTask(withResumeData: data) }) else { return }
            calls.withLock { $0.replace(task.taskIdentifier, by: successor.taskIdentifier, label) }
            successor.resume()
        case .land(let wait, let result, let data):
            if let data { results.keep(data, for: label) }
            wait?.continuation.resume(with: result.map { .arrived })
        }
    }

    private func end(_ task: URLSessionTask, _ label: BackgroundLabel, _ failure: TarmacError?, isCancelled: Bool) {
        let length = calls.withLock { $0.endReply(task: task.taskIdentifier) }
        let fault = failure ?? stored(task, label, length)
        let (wait, ending) = calls.withLock { $0.end(upload: task.taskIdentifier, label, failure: fault, isCancelled: isCancelled) }
        results.removeBody(label)
        switch ending {
        case .arrived: wait?.continuation.resume(returning: .arrived)
        case .again: wait?.continuation.resume(returning: .again)
        case .fail(let forgets):
            if forgets { results.forgetSending(label) }
            wait?.continuation.resume(throwing: fault ?? BackgroundPolicy.lostOutcome)
        }
    }

    /// Stores the response to an upload; returns the reason why that failed.
    private func stored(_ task: URLSessionTask, _ label: BackgroundLabel, _ length: Int64?) -> TarmacError? {
        guard let length else { return BackgroundPolicy.unstoredReply }
        guard let response = task.response as? HTTPURLResponse else { return BackgroundPolicy.lostOutcome }
        do {
            let head = try ResponseHead(response, to: HTTPRequest.Method(task.originalRequest?.httpMethod ?? "POST") ?? .post)
            try results.put(label, status: head.status, headers: head.headers, isDecoded: head.isDecoded, from: task.redirectedURL, reply: length)
            return nil
        } catch { return error }
    }
}

extension URLSessionTask {
    /// The label of the transfer, or `nil` for a task of another origin.
    var label: BackgroundLabel? { BackgroundLabel(description: taskDescription) }

    /// The URL of the response, if redirects led away from that of the request.
    var redirectedURL: String? { response?.url == originalRequest?.url ? nil : response?.url?.absoluteString }

    var seen: BackgroundPolicy.SeenTask { .init(description: taskDescription, state: .init(number: state.rawValue)) }

    func meet(_ fate: BackgroundPolicy.Fate) {
        switch fate {
        case .leave: break
        case .resume: resume()
        case .cancel: cancel()
        }
    }

    /// Cancels a transfer. `keep` receives the data that continues a download later.
    func pause(_ keep: @escaping @Sendable (Data) -> Void) {
        guard let download = self as? URLSessionDownloadTask else { return cancel() }
        download.cancel { $0.map(keep) }
    }
}

extension ResponseHead {
    /// Makes the head of a task's response.
    fileprivate init(_ response: HTTPURLResponse, to method: HTTPRequest.Method) throws(TarmacError) {
        try self.init(
            method: method, status: response.statusCode, fields: try MergedFields.fields(from: textFields(of: response)), decodesContent: true)
    }
}
#endif
