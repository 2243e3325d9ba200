"""What is chosen instead of each other, and what has a name of its own: what the guard knows of products and approaches.

A line of `INSTEAD` holds what excludes each other, by words or by the first words of groups of the thesaurus.
"""

INSTEAD = """
poll | push | websocket
memory | redis | database | disk | indexeddb
sqlite | postgres | mysql | mongodb | redis | dynamodb | elasticsearch | firebase | realm | indexeddb
thread | process | async
thread | native
handler | queue
float | integer
live | staging
whole | chunk
every | batched | debounce
shared | chunk
browser | server
scraper | rsync
excel | tsv | parquet
tight loop | queue
global | chunk
background | foreground
docker.sock | kaniko | buildah | buildkit
repository | s3 | consul
laptop | argo | pipeline | flux
alpine | slim | distroless | ubuntu
cpu | queue | latency
http challenge | dns challenge
regex | parser | allow-list
like | fts5 | trigram | elasticsearch | tsvector
keystroke | debounce
crdt | last writer wins
localstorage | indexeddb
asyncstorage | keychain
magic link | oauth | code | password
context | redux | zustand | selectors
s3 | server | disk
server-side rendering | static
legacy-peer-deps | upgrade
upgrade | downgrade
qos 2 | qos 0
ntp | gps
json | binary | xml | csv | parquet | yaml
recursion | stack
antlr | hand-written
modification time | hash
snapshot | run
response | assets
blob | s3
block | asynchronous
token | theme
bindings | stable
distribution | crosstool-ng
setuptools | hatchling | poetry
webpack | vite | esbuild | rollup
npm | pnpm | yarn | bun
jest | vitest
react | vue | svelte
cookie | jwt
rest | graphql | grpc
bcrypt | argon2
cron | airflow | dagster | prefect | temporal
pagination | keyset | cursor
sleep | event
mock | real
nfs | s3
pickle | json
ip address | cookie
passlib | bcrypt | argon2 | scrypt
cbor | protobuf | msgpack | json
kafka | rabbitmq | sqs | nats | redis
flask | django | fastapi
electron | tauri
eslint | biome
oauth | saml | password | magic link
whoosh | lucene | elasticsearch | fts5 | tantivy
bleach | nh3
celery | airflow | dramatiq
terraform | pulumi | ansible
selenium | playwright | cypress
blob storage | bytea
uuid | sequence
same process | own
single | own | several
shared | own
original | temporary
test set | validation
step | hour | day | week
minute | hour | day | week | night
automatically | manually
directly | draft
immediately | queue | night
in the request | queue
busy wait | interrupt | sleep
malloc | static
latest | digest | pinned
tag | digest
infer | explicit
average | percentile
exact | sketch
live | copy | replica
mobile data | wi-fi
whole | partly
raw | thumbnail
eager | lazy
merge | suggest
average | percentile
by name | hash
trust | server decides
"""
# Products, libraries and protocols: naming one tells more than another word does.
NAMES = frozenset(
    "airflow alpine angular ansible antlr apache apollo automerge babel bazel bleach bluetooth bootstrap bottle bun cassandra celery chrome "
    "clang clickhouse cloudflare cobol composer consul cypress dagster datadog debian deno django docker dynamo ecto elasticsearch electron "
    "elixir envoy erlang esbuild eslint expo express fastapi firebase firefox flask flink flutter gatsby gevent git github gitlab golang "
    "gradle grafana graphql gunicorn hadoop haproxy haskell helm heroku hibernate hugo ionic istio java javascript jenkins jest jetty jquery "
    "julia kafka kaniko keras kotlin kubernetes kustomize lambda laravel linux lodash lua lucene mariadb maven memcached mercurial mocha "
    "mongo mongodb mqtt mypy mysql nats netlify next nginx nixos node nomad npm numba numpy nuxt ocaml opencv openssl oracle pandas passlib "
    "perl phoenix php pickle pika pip pipenv playwright podman poetry polars postgres postgresql prisma prometheus protobuf puppeteer pulsar "
    "puppet pydantic pyinstaller pypy pytest python pytorch qt rabbitmq rails react realm redis redux remix requests rollup ruby ruff rust "
    "salt sass scala scrapy selenium sendgrid sentry setuptools sidekiq solid solr spark spring sqlalchemy sqlite storybook stripe subversion "
    "svelte swift swagger symfony systemd tailwind tauri tensorflow terraform tesseract tokio tomcat tornado traefik twilio twisted typescript "
    "ubuntu uvicorn vagrant vault vercel vite vue wasm webgl webpack websocket websockets whoosh windows wordpress xamarin xcode yarn "
    "zeromq zookeeper zustand ajax alembic argo babel capistrano cmake conan cron crontab cython fabric fish graalvm groovy imagemagick ffmpeg "
    "inkscape jinja jupyter latex less libuv llvm luigi make markdown meson minio mmap neo4j ninja nsq ntp ocr okta openapi pandoc pgbouncer "
    "pnpm rsync samba saml samesite sftp shopify snowflake ssh sse sso supabase svg toml udp tcp ipv6 utf8 vim virtualenv xslt yaml zig zip gzip "
    "brotli zstd lz4 aes rsa hmac md5 sha1 bcrypt argon2 scrypt jwt oauth oidc ldap kerberos smtp imap ftp nfs smb dns dhcp tls ssl".split()
)
