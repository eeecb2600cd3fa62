import FoundationEssentials
import MovieDomain
import PosterTesting
import Testing

@testable import MovieWeb

struct WebResourcesTests {
    private let folder = TemporaryFolder()

    private func put(_ text: String, _ path: String) throws {
        let file = URL(filePath: "\(self.folder.path)/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func fill() throws {
        try self.put("key\tko\ten\tja\na\t1\t2\t3\n", "strings.tsv")
        try self.put("<p>{{t.a}}</p>", "templates/one.mustache")
        try self.put("<b></b>", "templates/parts/two.mustache")
        try self.put("a{}", "assets/a.css")
        try self.put("icon", "icons/icon.svg")
    }

    @Test func filesAreKnownByTheirNames() throws {
        try self.fill()
        try self.put("", "assets/.a.css.swp")
        let resources = try WebResources(directory: self.folder.path)
        #expect(resources.templates == ["one": "<p>{{t.a}}</p>", "two": "<b></b>"])
        #expect(resources.assets.keys.sorted() == ["a.css", "icon.svg"])
        #expect(resources.texts.text("a", in: .english) == "2")
    }

    @Test func theVersionFollowsEveryFile() throws {
        try self.fill()
        var versions = [try WebResources(directory: self.folder.path).version]
        #expect(try WebResources(directory: self.folder.path).version == versions[0])
        #expect(versions[0].wholeMatch(of: /[0-9a-f]{10}/) != nil)
        for (text, path) in [
            ("a{b:c}", "assets/a.css"), ("i", "icons/icon.svg"), ("<i>", "templates/one.mustache"),
            ("key\tko\ten\tja\na\t1\t2\t4\n", "strings.tsv"), ("", "assets/new.js"),
        ] {
            try self.put(text, path)
            versions.append(try WebResources(directory: self.folder.path).version)
        }
        #expect(Set(versions).count == versions.count)
    }

    @Test func whatCannotBeReadIsNamed() throws {
        try self.fill()
        try FileManager.default.removeItem(atPath: self.folder.path + "/icons")
        let failure = #expect(throws: WebResources.Unreadable.self) {
            try WebResources(directory: self.folder.path)
        }
        #expect(try #require(failure).description.contains("/icons cannot be read"))
    }

    @Test func twoTemplatesOfOneNameAreRefused() throws {
        try self.fill()
        try self.put("", "templates/parts/one.mustache")
        #expect(throws: WebResources.Unreadable.self) { try WebResources(directory: self.folder.path) }
    }

    @Test func theProgramsFilesAreThere() throws {
        let resources = try WebResources()
        for name in ["onesheet.css", "more.css", "print.css", "onesheet.js", "service-worker.js", "icon.svg"] {
            #expect(resources.assets[name]?.isEmpty == false, "\(name)")
        }
    }
}
