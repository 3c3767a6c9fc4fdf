#if canImport(Darwin)
package import Foundation
import Security

// Only the casts that need Objective-C are here. scripts/apple-check has no Objective-C and checks the rest of
// the target against scripts/support/apple/seams/TarmacURLSession/Bridging.swift. Both files declare the same
// functions.

func foundationError(_ error: any Error) -> NSError { error as NSError }

/// Returns the data that resumes an interrupted download.
package func resumeData(of error: any Error) -> Data? { (error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

/// Returns the fields whose name and value are text, in any order.
package func textFields(of response: HTTPURLResponse) -> [(name: String, value: String)] {
    response.allHeaderFields.compactMap { field in
        (field.key as? String).flatMap { name in (field.value as? String).map { (name: name, value: $0) } }
    }
}

func coreData(_ data: Data) -> CFData { data as CFData }

func coreArray(_ certificates: [SecCertificate]) -> CFArray { certificates as CFArray }

func plainData(_ data: CFData) -> Data { data as Data }

/// Returns the certificates of an array, or an empty array for anything else.
func plainCertificates(_ array: CFArray?) -> [SecCertificate] { array as? [SecCertificate] ?? [] }
#endif
