import FoundationEssentials
import PosterTesting
import ProgramResources
import Testing

struct ProgramResourcesTests {
    private let folder = TemporaryFolder()

    private func put(_ path: String) throws {
        let file = URL(filePath: "\(self.folder.path)/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: file)
    }

    private func resources() throws(ProgramResources.Missing) -> ProgramResources {
        try ProgramResources(
            of: "Films", with: "list.json", subject: "the list of films", program: "\(self.folder.path)/bin/onesheet")
    }

    @Test func filesBesideTheProgramAreFound() throws {
        try self.put("bin/OneSheet_Films.resources/Resources/list.json")
        try self.put("share/onesheet/Resources/list.json")
        #expect(try self.resources().folder == "\(self.folder.path)/bin/OneSheet_Films.resources/Resources")
    }

    @Test func installedFilesAreFound() throws {
        try self.put("bin/onesheet")
        try self.put("share/onesheet/Resources/list.json")
        #expect(try self.resources().folder == "\(self.folder.path)/bin/../share/onesheet/Resources")
    }

    @Test func aFolderWithoutTheFileIsNotTheOne() throws {
        try self.put("bin/OneSheet_Films.resources/Resources/other.json")
        try self.put("share/onesheet/Resources/list.json")
        #expect(try self.resources().folder.hasSuffix("share/onesheet/Resources"))
    }

    @Test func whatIsMissingIsNamedWithWhereItShouldBe() throws {
        let missing = #expect(throws: ProgramResources.Missing.self) { try self.resources() }
        let text = try #require(missing).description
        #expect(text.contains("the list of films is missing"))
        #expect(text.contains("\(self.folder.path)/bin/OneSheet_Films.resources"))
        #expect(text.contains("share/onesheet") && text.contains("build again"))
    }

    @Test func theRunningProgramIsTheDefault() throws {
        let missing = #expect(throws: ProgramResources.Missing.self) {
            try ProgramResources(of: "Films", with: "nothing", subject: "nothing")
        }
        #expect(try #require(missing).searched[0].hasPrefix("/"))
    }
}
