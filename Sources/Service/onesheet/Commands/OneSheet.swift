import ArgumentParser
import CodecWorkers
import Dispatch
import Glibc
import OneSheetConfiguration
import OneSheetServer
import OpenAPI
import PosterCodec

/// The entry point of the process.
@main
enum Program {
    static func main() {
        // First of all: a worker has only the main thread, and an asynchronous entry point would leave it.
        if CommandLine.arguments.dropFirst().first == CodecWorker.argument { CodecWorker.run() }
        // Before the first task, because its queue opens descriptors.
        StandardDescriptors.fill()
        // Equivalent to an asynchronous entry point. The task lives as long as the process.
        Task { @MainActor in
            exit(await CommandLineRun(arguments: Array(CommandLine.arguments.dropFirst())).status())
        }
        dispatchMain()
    }
}

/// The command `onesheet`.
struct OneSheet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onesheet",
        abstract: "Serves movie posters at exactly the requested pixels.",
        discussion: """
            Every option can also be set in the environment: --data-dir is ONESHEET_DATA_DIR; options of 'serve' also \
            in the file of --config, as data-dir. The command line takes precedence over the environment, and both \
            over the file.

            'onesheet help serve' begins with the most used options; 'man onesheet', or 'onesheet config --man', is \
            the manual; 'onesheet --generate-completion-script' prints completions for bash, zsh or fish.
            """,
        version: "\(ProductVersion.current) (codec \(CodecVersion.current), \(CodecVersion.kernels) kernels)",
        subcommands: [
            ServiceCommand<Serve>.self, ServiceCommand<Config>.self, ServiceCommand<DoctorCommand>.self,
            HealthCheck.self, Sign.self, KeysCommand.self, ServiceCommand<Status>.self, ServiceCommand<Warm>.self,
            ServiceCommand<Purge>.self,
            ServiceCommand<Verify>.self, LibraryCommand.self, ServiceCommand<QuarantineCommand>.self, Render.self,
            Probe.self, ServiceCommand<Search>.self, ServiceCommand<BoxOfficeCommand>.self,
            ServiceCommand<MovieCommand>.self, OpenAPICommand.self,
        ])
}

/// `onesheet openapi`
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Prints the OpenAPI description of all features.",
        discussion: "A server describes its enabled features at /openapi.json.")

    func run() throws {
        try StandardOutput.write(String(decoding: APIDescription.complete.json(), as: UTF8.self))
    }
}
