import Foundation
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

@Suite struct QuarantineFileTests {
    private let folder = TemporaryFolder()

    @Test func whatIsWrittenIsReadAgain() throws {
        let file = QuarantineFile(in: self.folder.path)
        #expect(try file.read().isEmpty, "without a file")
        let entries = [
            Quarantine.Entry(digest: Digest(of: "a"), until: 10, reason: "the decoder trapped"),
            Quarantine.Entry(digest: Digest(of: "b"), until: 20, reason: "two\nlines"),
        ]
        try file.write(entries)
        let read = try file.read()
        #expect(read.map(\.digest) == entries.map(\.digest) && read.map(\.until) == [10, 20])
        #expect(read.map(\.reason) == ["the decoder trapped", "two lines"])
    }

    @Test func linesThatAreNoneAreLeftOut() throws {
        let digest = Digest(of: "a")
        let text = "\n\(digest)\n\(digest) x y\nabc 5 reason\n\(digest) 5 a reason\n"
        try Data(text.utf8).write(to: URL(filePath: self.folder.path + "/quarantine"))
        let read = try QuarantineFile(in: self.folder.path).read()
        #expect(read == [Quarantine.Entry(digest: digest, until: 5, reason: "a reason")])
    }
}
