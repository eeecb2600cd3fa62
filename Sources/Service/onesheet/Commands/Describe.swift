import ArgumentParser
import OneSheetServer
import OpenAPI

/// `onesheet openapi`
struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Prints the OpenAPI description of all that the service can have.",
        discussion: "A server tells what it has switched on at /openapi.json.")

    func run() throws {
        try StandardOutput.write(String(decoding: APIDescription.complete.json(), as: UTF8.self))
    }
}
