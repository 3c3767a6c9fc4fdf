// expected on ios, macos, tvos, watchos: 'uploadTask(withResumeData:)' is only available in
import Foundation

func goOn(_ session: URLSession, _ data: Data) { session.uploadTask(withResumeData: data).resume() }
