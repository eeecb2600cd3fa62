import ArgumentParser

/// Options of the S3-compatible store of originals that nodes share.
struct SharedStoreOptions: ParsableArguments {
    @Option(
        help: """
            s3://bucket or s3://bucket/prefix: an S3-compatible store that has the originals of all nodes; the disk is a cache \
            of it. Its keys are in --originals-credentials, or in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
            """)
    var originals: String?

    @Option(help: "https://host[:port] of the store. Default: AWS's of the region")
    var originalsEndpoint: String?

    @Option(help: "Region of the store. Default: us-east-1")
    var originalsRegion: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Name the bucket in the path instead of the host. Default: yes with --originals-endpoint, else no")
    var originalsPathStyle: Bool?

    @Option(
        help: """
            File with aws_access_key_id, aws_secret_access_key and maybe aws_session_token, as AWS's tools have it; read again \
            when it changes.
            """)
    var originalsCredentials: String?

    @Option(help: "Seconds that a poster waits for the store's answer before its origin is asked. Default: 0.5")
    var originalsTimeout: String?
}
