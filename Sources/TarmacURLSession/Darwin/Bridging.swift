#if canImport(Darwin)
import Foundation
import Security

// The casts that need Objective-C, and nothing else: scripts/apple-check, which has no Objective-C, checks the rest of the
// target against scripts/support/apple/seams/TarmacURLSession/Bridging.swift. Both files declare the same functions.

func foundationError(_ error: any Error) -> NSError { error as NSError }

/// The data with which an interrupted download goes on.
func resumeData(of error: any Error) -> Data? { (error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

/// The fields whose name and value are text, in no order.
func textFields(of response: HTTPURLResponse) -> [(name: String, value: String)] {
    response.allHeaderFields.compactMap { field in
        (field.key as? String).flatMap { name in (field.value as? String).map { (name: name, value: $0) } }
    }
}

func coreData(_ data: Data) -> CFData { data as CFData }

func coreArray(_ certificates: [SecCertificate]) -> CFArray { certificates as CFArray }

func plainData(_ data: CFData) -> Data { data as Data }

/// Empty for anything but certificates.
func plainCertificates(_ array: CFArray?) -> [SecCertificate] { array as? [SecCertificate] ?? [] }
#endif
