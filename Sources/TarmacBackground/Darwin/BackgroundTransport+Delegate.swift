#if canImport(Darwin)
import Foundation
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacTransfer
import TarmacURLSession

extension BackgroundTransport: URLSessionDownloadDelegate {
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        guard let label = downloadTask.label, let response = downloadTask.response as? HTTPURLResponse else { return }
        do {
            let head = try ResponseHead(download: response)
            try results.put(label, status: head.status, headers: head.headers, isDecoded: head.isDecoded, body: location.path)
        } catch {
            finish(downloadTask, label, calls.withLock { $0.end(downloadTask.taskIdentifier, label, failure: error) })
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let label = task.label else { return }
        let cause = error.map { SessionFailure($0) }
        let failure = cause?.error(phase: .receiving, hasHead: task.response != nil, cause: error)
        let (isCancelled, data) = (cause?.isCancellation ?? false, error.flatMap { resumeData(of: $0) })
        let ending = calls.withLock { $0.end(task.taskIdentifier, label, failure: failure, isCancelled: isCancelled, resumeData: data) }
        finish(task, label, ending)
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
            wait?.resume(with: result)
        }
    }
}

extension URLSessionTask {
    /// The label of the download, or `nil` for a task of another origin.
    var label: BackgroundLabel? { BackgroundLabel(description: taskDescription) }

    var seen: BackgroundPolicy.SeenTask { .init(description: taskDescription, state: .init(number: state.rawValue)) }

    func meet(_ fate: BackgroundPolicy.Fate) {
        switch fate {
        case .leave: break
        case .resume: resume()
        case .cancel: cancel()
        }
    }

    /// Cancels a download. `keep` receives the data that continues it later.
    func pause(_ keep: @escaping @Sendable (Data) -> Void) {
        (self as? URLSessionDownloadTask)?.cancel { $0.map(keep) }
    }
}

extension ResponseHead {
    /// Makes the head of a download's response. A download is always a GET.
    fileprivate init(download response: HTTPURLResponse) throws(TarmacError) {
        try self.init(
            method: .get, status: response.statusCode, fields: try MergedFields.fields(from: textFields(of: response)), decodesContent: true)
    }
}
#endif
